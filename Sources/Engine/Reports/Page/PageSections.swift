/// The page's sections about a baseline, journeys, roles and the generator.
enum PageSections {
  private static let changeHead = """
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.verdict}}</th><th scope="col" role="columnheader">{{t.figure}}</th><th scope="col" role="columnheader" class="num">{{t.before}}</th><th scope="col" role="columnheader" class="num">{{t.after}}</th><th scope="col" role="columnheader" class="num">{{t.change}}</th><th scope="col" role="columnheader" class="num">{{t.interval}}</th><th scope="col" role="columnheader" data-fixed>{{t.againstMargin}}</th></tr></thead>
    """

  private static let changeRow = """
    <tr role="row"><td role="cell" data-key="{{badge.urgency}}"><span class="badge {{badge.tone}}"><span aria-hidden="true">{{badge.sign}}</span>{{badge.word}}</span></td>
    <th scope="row" role="rowheader" class="full">{{name}}<small>{{path}}</small>{{#reason}}<small>{{.}}</small>{{/reason}}</th>
    <td role="cell" class="num" data-label="{{t.before}}" data-key="{{before.key}}">{{before.text}}</td>
    <td role="cell" class="num" data-label="{{t.after}}" data-key="{{after.key}}">{{after.text}}</td>
    <td role="cell" class="num" data-label="{{t.change}}" data-key="{{change.key}}">{{change.text}}</td>
    <td role="cell" class="num" data-label="{{t.interval}}" data-key="{{interval.key}}">{{interval.text}}</td>
    <td role="cell" class="full">{{{bar}}}</td></tr>
    """

  static let comparison = """
    {{#comparison.isGiven}}
    <section id="comparison">
    <h2>{{t.comparison}}</h2>
    {{#comparison.badge}}
    <p class="lead"><span class="badge {{tone}}"><span aria-hidden="true">{{sign}}</span>{{word}}</span> {{comparison.sentence}}</p>
    {{/comparison.badge}}
    {{#comparison.method}}
    <p class="note">{{.}}</p>
    {{/comparison.method}}
    {{#comparison.hasLimits}}
    <h3>{{t.changedLimits}}</h3>
    <ul class="plain">
    {{#comparison.limits}}
    <li>{{before.word}} → <strong>{{after.word}}</strong>: {{ids}}</li>
    {{/comparison.limits}}
    </ul>
    {{/comparison.hasLimits}}
    {{#comparison.hasRows}}
    <p>{{t.comparisonIntro}}</p>
    <div class="scroll" role="region" aria-label="{{t.comparisonCaption}}" tabindex="0"><table class="stack" role="table" data-sortable>
    <caption>{{t.comparisonCaption}}</caption>
    \(changeHead)
    <tbody role="rowgroup">
    {{#comparison.rows}}
    \(changeRow)
    {{/comparison.rows}}
    </tbody></table></div>
    {{/comparison.hasRows}}
    {{#comparison.hasMore}}
    <details><summary>{{comparison.moreSummary}}</summary><div class="inside"><div class="scroll"><table class="stack" role="table" data-sortable data-filter="{{t.filter}}">
    <caption>{{t.comparisonCaption}}</caption>
    \(changeHead)
    <tbody role="rowgroup">
    {{#comparison.more}}
    \(changeRow)
    {{/comparison.more}}
    </tbody></table></div></div></details>
    {{/comparison.hasMore}}
    </section>
    {{/comparison.isGiven}}

    """

  private static func table(_ steps: String) -> String {
    """
    <div class="scroll"><table class="stack" role="table" data-sortable>
    <caption>{{caption}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.step}}</th><th scope="col" role="columnheader" class="num">{{t.peopleAsked}}</th><th scope="col" role="columnheader" class="num">{{t.peopleGot}}</th><th scope="col" role="columnheader" class="num">{{t.requestsEach}}</th><th scope="col" role="columnheader" class="num">{{t.timeOfStep}}</th></tr></thead>
    <tbody role="rowgroup">
    {{#\(steps)}}
    <tr role="row"><th scope="row" role="rowheader" class="full">{{name}}<small>{{path}}</small><span class="reach" aria-hidden="true"><i style="width:{{width}}%"></i></span></th>{{#asked}}<td role="cell" class="num" data-label="{{label}}" data-key="{{key}}">{{text}}{{#small}}<small>{{.}}</small>{{/small}}</td>{{/asked}}{{#got}}<td role="cell" class="num" data-label="{{label}}" data-key="{{key}}">{{text}}{{#small}}<small>{{.}}</small>{{/small}}</td>{{/got}}{{#requests}}<td role="cell" class="num" data-label="{{label}}" data-key="{{key}}">{{text}}</td>{{/requests}}{{#median}}<td role="cell" class="num" data-label="{{label}}" data-key="{{key}}">{{text}}</td>{{/median}}</tr>
    {{/\(steps)}}
    </tbody></table></div>
    """
  }

  private static let steps = """
    \(table("steps"))
    {{#hasMoreSteps}}
    <details class="screen-only"><summary>{{moreStepsSummary}}</summary><div class="inside">
    \(table("moreSteps"))
    </div></details>
    {{/hasMoreSteps}}
    """

  static let journeys = """
    <section id="journeys">
    <h2>{{t.journeys}}</h2>
    <p>{{t.journeysIntro}}</p>
    <dl class="figures"><div><dt>{{t.journeysBegun}}</dt><dd>{{journeys.begun}}</dd></div><div><dt>{{t.journeysCompleted}}</dt><dd>{{journeys.completed}}</dd></div><div><dt>{{t.journeysEnded}}</dt><dd>{{journeys.ended}}</dd></div></dl>
    {{^journeys.hasRoles}}
    <p class="soft">{{t.noSteps}}</p>
    {{/journeys.hasRoles}}
    {{#journeys.roles}}
    <h3>{{name}}</h3>
    \(steps)
    {{/journeys.roles}}
    {{#journeys.hasMore}}
    <details class="screen-only"><summary>{{journeys.moreSummary}}</summary><div class="inside">
    {{#journeys.more}}
    <h3>{{name}}</h3>
    \(steps)
    {{/journeys.more}}
    </div></details>
    {{/journeys.hasMore}}
    </section>

    """

  static let matrix = """
    {{#journeys.hasMatrices}}
    <section id="matrix">
    <h2>{{t.matrix}}</h2>
    <p>{{t.matrixIntro}}</p>
    {{#journeys.matrices}}
    <h3>{{heading}}</h3>
    {{#remarks}}
    <p class="note">{{.}}</p>
    {{/remarks}}
    <div class="scroll" role="region" aria-label="{{t.matrix}}: {{world}}" tabindex="0"><table class="matrix stack compact" role="table">
    <caption>{{t.matrix}}: {{world}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.operation}}</th>{{#roles}}<th scope="col" role="columnheader">{{.}}</th>{{/roles}}</tr></thead>
    <tbody role="rowgroup">
    {{#rows}}
    <tr role="row"><th scope="row" role="rowheader" class="full">{{name}}<small>{{path}}</small></th>{{#cells}}<td role="cell" class="full" data-label="{{label}}"><span class="{{tone}}-text" aria-hidden="true">{{sign}}</span> {{text}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody></table></div>
    {{/journeys.matrices}}
    </section>
    {{/journeys.hasMatrices}}

    """

  static let generator = """
    <section id="generator">
    <h2>{{t.generator}}</h2>
    <p>{{generator.sentence}}</p>
    <dl class="facts">
    {{#generator.facts}}
    <dt>{{name}}</dt><dd>{{value}}</dd>
    {{/generator.facts}}
    </dl>
    </section>

    """
}
