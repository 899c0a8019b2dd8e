/// The page's frame and its sections; what they show comes from `PageModel`.
enum PageTemplate {
  static let page = Template(
    .markup,
    head + verdict + PageSections.comparison + objectives + limits + business + latencies
      + loadSection
      + PageSections.journeys + outcomes + PageSections.matrix + PageSections.generator + method
      + appendix + foot)

  /// Of a load against a server, which has no rules, people and journeys.
  static let load = Template(
    .markup,
    head + verdict + objectives + latencies + loadSection + outcomes + PageSections.generator
      + method + foot)

  private static let head = """
    <!doctype html>
    <html lang="{{t.language}}">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
    <link rel="icon" href="data:,">
    <title>{{verdict.word}}: {{title}} – {{t.report}}</title>
    <style>
    {{{style}}}
    </style>
    </head>
    <body>
    <a class="skip" href="#verdict">{{t.skip}}</a>
    <div class="frame">
    <header class="top">
    <h1>{{title}}</h1>
    <p class="eyebrow">{{about}} · {{when}} ({{place}}), {{length}}</p>
    </header>
    <nav aria-label="{{t.contents}}"><ul>
    <li><a href="#verdict">{{t.verdict}}</a></li>
    {{#comparison.isGiven}}
    <li><a href="#comparison">{{t.comparison}}</a></li>
    {{/comparison.isGiven}}
    <li><a href="#objectives">{{t.objectives}}</a></li>
    {{^isLoad}}
    <li><a href="#limits">{{t.limits}}</a></li>
    <li><a href="#business">{{t.business}}</a></li>
    {{/isLoad}}
    <li><a href="#latencies">{{t.latencies}}</a></li>
    <li><a href="#load">{{t.load}}</a></li>
    {{^isLoad}}
    <li><a href="#journeys">{{t.journeys}}</a></li>
    {{/isLoad}}
    <li><a href="#outcomes">{{t.outcomes}}</a></li>
    {{#journeys.hasMatrices}}
    <li><a href="#matrix">{{t.matrix}}</a></li>
    {{/journeys.hasMatrices}}
    <li><a href="#generator">{{t.generator}}</a></li>
    <li><a href="#method">{{t.method}}</a></li>
    {{#hasAppendix}}
    <li><a href="#appendix">{{t.appendix}}</a></li>
    {{/hasAppendix}}
    </ul></nav>
    <main>

    """

  private static let badge = """
    <span class="badge {{badge.tone}}"><span aria-hidden="true">{{badge.sign}}</span>{{badge.word}}</span>
    """

  private static let verdict = """
    <section class="verdict" id="verdict" tabindex="-1">
    <span class="badge big {{verdict.tone}}"><span aria-hidden="true">{{verdict.sign}}</span>{{verdict.word}}</span>
    <h2>{{headline}}</h2>
    <h3>{{t.meaning}}</h3>
    {{#hasFindings}}
    <ul class="meaning">
    {{#findings}}
    <li><span class="sign {{verdict.tone}}" aria-hidden="true">{{verdict.sign}}</span>{{{.}}}</li>
    {{/findings}}
    </ul>
    {{/hasFindings}}
    <ul class="plain context">
    {{#context}}
    <li>{{{.}}}</li>
    {{/context}}
    </ul>
    {{#hasNext}}
    <h3>{{t.next}}</h3>
    <ul class="next">
    {{#next}}
    <li>{{{words}}}{{#command}}<code class="command">{{{.}}}</code>{{/command}}</li>
    {{/next}}
    </ul>
    {{/hasNext}}
    <dl class="figures">
    {{#figures}}
    <div><dt>{{label}}</dt><dd>{{value}}</dd></div>
    {{/figures}}
    </dl>
    </section>

    """

  private static let limitHead = """
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.verdict}}</th><th scope="col" role="columnheader">{{t.rule}}</th><th scope="col" role="columnheader" class="num">{{t.tried}}</th><th scope="col" role="columnheader" class="num">{{t.broken}}</th></tr></thead>
    """

  private static let limitRow = """
    <tr role="row"><td role="cell" data-key="{{badge.urgency}}">\(badge)</td>
    <td role="cell" class="full"><span class="rule{{#isUrgent}} urgent{{/isUrgent}}"><span class="id">{{id}}</span>{{{statement}}}</span><small>{{source}}</small>
    {{#reason}}
    <p class="note">{{.}}</p>
    {{/reason}}
    {{#hasEvidence}}
    <ul class="proof">
    {{#evidence}}
    <li><p>{{{what}}}</p><p class="note">{{seen}}</p><p class="note">{{t.showAgain}}</p><code class="command">{{{command}}}</code></li>
    {{/evidence}}
    {{#moreEvidence}}
    <li><p class="note">{{.}}</p></li>
    {{/moreEvidence}}
    </ul>
    {{/hasEvidence}}
    </td>
    <td role="cell" class="num" data-label="{{t.tried}}" data-key="{{tried.key}}">{{tried.text}}{{#tried.small}}<small>{{.}}</small>{{/tried.small}}</td>
    <td role="cell" class="num" data-label="{{t.broken}}" data-key="{{broken.key}}">{{broken.text}}</td></tr>
    """

  private static let limits = """
    <section id="limits">
    <h2>{{t.limits}}</h2>
    <p>{{t.limitsIntro}}</p>
    {{#limits.isEmpty}}
    <p class="soft">{{t.noLimits}}</p>
    {{/limits.isEmpty}}
    {{#limits.hasShown}}
    <div class="scroll" role="region" aria-label="{{t.limitsCaption}}" tabindex="0">
    <table class="rules stack" role="table" data-sortable data-filter="{{t.filter}}">
    <caption>{{t.limitsCaption}}</caption>
    \(limitHead)
    <tbody role="rowgroup">
    {{#limits.shown}}
    \(limitRow)
    {{/limits.shown}}
    </tbody></table></div>
    {{/limits.hasShown}}
    {{#limits.hasLater}}
    <p class="note">{{limits.later}} <a href="#appendix">{{t.seeAppendix}}</a></p>
    {{/limits.hasLater}}
    </section>

    """

  private static let objectives = """
    <section id="objectives">
    <h2>{{t.objectives}}</h2>
    {{#objectives.isEmpty}}
    <p class="soft">{{t.noObjectives}}</p>
    {{/objectives.isEmpty}}
    {{^objectives.isEmpty}}
    <p>{{t.objectivesIntro}}</p>
    <div class="scroll" role="region" aria-label="{{t.objectivesCaption}}" tabindex="0"><table class="stack" role="table" data-sortable>
    <caption>{{t.objectivesCaption}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.verdict}}</th><th scope="col" role="columnheader">{{t.objective}}</th><th scope="col" role="columnheader" class="num">{{t.estimate}}</th><th scope="col" role="columnheader" class="num">{{t.interval}}</th><th scope="col" role="columnheader" class="num">{{t.bound}}</th><th scope="col" role="columnheader" data-fixed>{{t.picture}}</th></tr></thead>
    <tbody role="rowgroup">
    {{#objectives.rows}}
    <tr role="row"><td role="cell" data-key="{{badge.urgency}}">\(badge)</td>
    <th scope="row" role="rowheader" class="full">{{text}}{{#reason}}<small>{{.}}</small>{{/reason}}{{#parts}}<small>{{.}}</small>{{/parts}}</th>
    <td role="cell" class="num" data-label="{{t.estimate}}" data-key="{{estimate.key}}">{{estimate.text}}</td>
    <td role="cell" class="num" data-label="{{t.interval}}" data-key="{{interval.key}}">{{interval.text}}</td>
    <td role="cell" class="num" data-label="{{t.bound}}" data-key="{{bound.key}}">{{bound.text}}</td>
    <td role="cell" class="full">{{{bar}}}</td></tr>
    {{/objectives.rows}}
    </tbody></table></div>
    {{/objectives.isEmpty}}
    </section>

    """

  private static func latencyTable(_ rows: String, caption: String) -> String {
    """
    <div class="scroll" role="region" aria-label="{{t.\(caption)}}" tabindex="0"><table class="stack figures-table" role="table" data-sortable data-filter="{{t.filter}}">
    <caption>{{t.\(caption)}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.operation}}</th><th scope="col" role="columnheader" class="num">{{t.count}}</th><th scope="col" role="columnheader" class="num">{{t.withoutAnswerColumn}}</th>{{#latencies.quantiles}}<th scope="col" role="columnheader" class="num">{{.}}</th>{{/latencies.quantiles}}{{#latencies.partsOf}}<th scope="col" role="columnheader" class="made">{{.}}</th>{{/latencies.partsOf}}</tr></thead>
    <tbody role="rowgroup">
    {{#latencies.\(rows)}}
    <tr role="row"><th scope="row" role="rowheader" class="full">{{name}}<small>{{path}} · {{basis}}</small></th><td role="cell" class="num" data-label="{{t.count}}" data-key="{{count.key}}">{{count.text}}</td><td role="cell" class="num" data-label="{{t.withoutAnswerColumn}}" data-key="{{withoutAnswer.key}}">{{withoutAnswer.text}}</td>{{#quantiles}}<td role="cell" class="num" data-label="{{label}}" data-key="{{key}}">{{text}}{{#small}}<small>{{.}}</small>{{/small}}</td>{{/quantiles}}{{#made}}<td role="cell" class="full made" data-key="{{key}}">{{#isKnown}}<span class="parts" aria-hidden="true">{{#parts}}<i class="{{tone}}" style="width:{{width}}%"></i>{{/parts}}</span>{{/isKnown}}<small>{{text}}</small></td>{{/made}}</tr>
    {{/latencies.\(rows)}}
    </tbody></table></div>
    """
  }

  private static let latencies = """
    <section id="latencies">
    <h2>{{t.latencies}}</h2>
    {{#latencies.isEmpty}}
    <p class="soft">{{t.noLatencies}}</p>
    {{/latencies.isEmpty}}
    {{^latencies.isEmpty}}
    {{#latencies.meanings}}
    <p>{{.}}</p>
    {{/latencies.meanings}}
    <p class="note">{{#isLoad}}{{t.intervalMeaningOfParts}}{{/isLoad}}{{^isLoad}}{{t.intervalMeaning}}{{/isLoad}}{{#latencies.partsOf}} {{t.partsMeaning}}{{/latencies.partsOf}}</p>
    \(latencyTable("rows", caption: "latenciesCaption"))
    {{#latencies.hasOthers}}
    <p class="note">{{latencies.othersSummary}}: <a href="#appendix">{{t.seeAppendix}}</a></p>
    {{/latencies.hasOthers}}
    {{#latencies.hasCurves}}
    <h3>{{t.spectra}}</h3>
    <p>{{t.spectraIntro}}</p>
    <div class="grid-of-charts">
    {{#latencies.curves}}
    <figure><figcaption><strong>{{name}}</strong>{{caption}}</figcaption>{{{picture}}}</figure>
    {{/latencies.curves}}
    </div>
    {{/latencies.hasCurves}}
    {{#latencies.hasMoreCurves}}
    <details class="screen-only"><summary>{{t.moreSpectra}}</summary><div class="inside"><div class="grid-of-charts">
    {{#latencies.moreCurves}}
    <figure><figcaption><strong>{{name}}</strong>{{caption}}</figcaption>{{{picture}}}</figure>
    {{/latencies.moreCurves}}
    </div></div></details>
    {{/latencies.hasMoreCurves}}
    {{/latencies.isEmpty}}
    </section>

    """

  private static let loadSection = """
    <section id="load">
    <h2>{{t.load}}</h2>
    {{#load.isEmpty}}
    <p class="soft">{{t.noLoad}}</p>
    {{/load.isEmpty}}
    {{#load.worlds}}
    <figure class="load"><figcaption><strong>{{name}}</strong><span class="only-wide">{{wideCaption}}</span><span class="only-narrow">{{narrowCaption}}</span>. {{load.axis}}.</figcaption>
    {{{wide}}}{{{narrow}}}
    <ul class="legend"><li><i class="replied" aria-hidden="true"></i>{{t.replied}}</li>{{#hasRefused}}<li><i class="refused" aria-hidden="true"></i>{{t.refused}}</li>{{/hasRefused}}{{#hasLost}}<li><i class="lost" aria-hidden="true"></i>{{t.lost}}</li>{{/hasLost}}</ul>
    </figure>
    {{#hasLatency}}
    <figure class="load"><figcaption><strong>{{latencyName}}</strong>{{latencyCaption}}. {{load.axis}}.</figcaption>
    {{{latencyWide}}}{{{latencyNarrow}}}
    <ul class="legend"><li><i class="line" aria-hidden="true"></i>{{t.median}}</li><li><i class="line tail" aria-hidden="true"></i>{{t.tail}}</li></ul>
    </figure>
    {{/hasLatency}}
    {{#hasHappenings}}
    <h3>{{t.happenings}}</h3>
    <ul class="happenings">
    {{#happenings}}
    <li><b>{{number}}</b><span class="soft">{{kind}}</span><span>{{when}}</span><span>{{what}}</span></li>
    {{/happenings}}
    </ul>
    {{/hasHappenings}}
    {{/load.worlds}}
    </section>

    """

  private static let business = """
    <section id="business">
    <h2>{{t.business}}</h2>
    {{#business.isEmpty}}
    <p class="soft">{{t.noBusiness}}</p>
    {{/business.isEmpty}}
    {{^business.isEmpty}}
    <p>{{t.businessIntro}}</p>
    {{#business.worlds}}
    <h3>{{heading}}</h3>
    <div class="scroll" role="region" aria-label="{{caption}}" tabindex="0"><table class="stack figures-table" role="table" data-sortable>
    <caption>{{caption}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.process}}</th><th scope="col" role="columnheader">{{t.documentedBound}}</th><th scope="col" role="columnheader" class="num">{{t.finished}}</th><th scope="col" role="columnheader" class="num">{{t.unfinished}}</th><th scope="col" role="columnheader" class="num">{{t.abandoned}}</th>{{#quantiles}}<th scope="col" role="columnheader" class="num">{{.}}</th>{{/quantiles}}</tr></thead>
    <tbody role="rowgroup">
    {{#rows}}
    <tr role="row"><th scope="row" role="rowheader" class="full">{{name}}<small>{{path}}</small>{{#remarks}}<small class="remark">{{.}}</small>{{/remarks}}</th><td role="cell" class="full">{{#badge}}<span class="badge {{tone}}"><span aria-hidden="true">{{sign}}</span>{{word}}</span>{{/badge}}{{#stated}}<small>{{.}}</small>{{/stated}}</td><td role="cell" class="num" data-label="{{t.finished}}" data-key="{{finished.key}}">{{finished.text}}</td>{{#unfinished}}<td role="cell" class="num" data-label="{{t.unfinished}}" data-key="{{key}}">{{text}}{{#small}}<small>{{.}}</small>{{/small}}</td>{{/unfinished}}{{#abandoned}}<td role="cell" class="num" data-label="{{t.abandoned}}" data-key="{{key}}">{{text}}{{#small}}<small>{{.}}</small>{{/small}}</td>{{/abandoned}}{{#quantiles}}<td role="cell" class="num" data-label="{{label}}" data-key="{{key}}">{{text}}{{#small}}<small>{{.}}</small>{{/small}}</td>{{/quantiles}}</tr>
    {{/rows}}
    </tbody></table></div>
    {{/business.worlds}}
    {{#business.hasCurves}}
    <h3>{{t.survival}}</h3>
    <p>{{t.survivalIntro}}</p>
    <div class="grid-of-charts">
    {{#business.curves}}
    <figure><figcaption><strong>{{name}}</strong>{{caption}}</figcaption>{{{picture}}}</figure>
    {{/business.curves}}
    </div>
    {{/business.hasCurves}}
    {{#business.hasMoreCurves}}
    <details class="screen-only"><summary>{{t.moreSurvival}}</summary><div class="inside"><div class="grid-of-charts">
    {{#business.moreCurves}}
    <figure><figcaption><strong>{{name}}</strong>{{caption}}</figcaption>{{{picture}}}</figure>
    {{/business.moreCurves}}
    </div></div></details>
    {{/business.hasMoreCurves}}
    {{/business.isEmpty}}
    </section>

    """

  private static func tallies(_ name: String, caption: String, code: String) -> String {
    """
    <div class="scroll" role="region" aria-label="{{t.\(caption)}}" tabindex="0"><table class="stack compact" role="table" data-sortable>
    <caption>{{t.\(caption)}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.operation}}</th><th scope="col" role="columnheader">{{t.\(code)}}</th><th scope="col" role="columnheader" class="num">{{t.times}}</th><th scope="col" role="columnheader" class="num">{{t.shareOfAll}}</th></tr></thead>
    <tbody role="rowgroup">
    {{#outcomes.\(name)}}
    <tr role="row"><th scope="row" role="rowheader" class="full">{{path}}</th><td role="cell" class="full"><code>{{code}}</code></td><td role="cell" class="num" data-label="{{t.times}}" data-key="{{count.key}}">{{count.text}}</td><td role="cell" class="num" data-label="{{t.shareOfAll}}" data-key="{{share.key}}">{{share.text}}</td></tr>
    {{/outcomes.\(name)}}
    </tbody></table></div>
    """
  }

  private static let outcomes = """
    <section id="outcomes">
    <h2>{{t.outcomes}}</h2>
    <h3>{{t.refusals}}</h3>
    {{#outcomes.hasRefusals}}
    <p>{{t.refusalsIntro}}</p>
    \(tallies("refusals", caption: "refusalsCaption", code: "code"))
    {{#outcomes.hasMoreRefusals}}
    <p class="note">{{outcomes.moreRefusalsSummary}}: <a href="#appendix">{{t.seeAppendix}}</a></p>
    {{/outcomes.hasMoreRefusals}}
    {{/outcomes.hasRefusals}}
    {{^outcomes.hasRefusals}}
    <p class="soft">{{t.noRefusals}}</p>
    {{/outcomes.hasRefusals}}
    <h3>{{t.unknowns}}</h3>
    {{#outcomes.hasUnknowns}}
    <p>{{t.unknownsIntro}}</p>
    \(tallies("unknowns", caption: "unknownsCaption", code: "cause"))
    {{#outcomes.hasMoreUnknowns}}
    <p class="note">{{outcomes.moreUnknownsSummary}}: <a href="#appendix">{{t.seeAppendix}}</a></p>
    {{/outcomes.hasMoreUnknowns}}
    {{/outcomes.hasUnknowns}}
    {{^outcomes.hasUnknowns}}
    <p class="soft">{{t.noUnknowns}}</p>
    {{/outcomes.hasUnknowns}}
    {{#outcomes.hasUnsents}}
    <h3>{{t.unsents}}</h3>
    <p>{{t.unsentsIntro}}</p>
    \(tallies("unsents", caption: "unsentsCaption", code: "cause"))
    {{/outcomes.hasUnsents}}
    </section>

    """

  private static let method = """
    <section id="method">
    <h2>{{t.method}}</h2>
    <h3>{{t.repeatRun}}</h3>
    <code class="command">{{{command}}}</code>
    <p class="note">{{#isLoad}}{{t.loadPromise}}{{/isLoad}}{{^isLoad}}{{t.promise}}{{/isLoad}}</p>
    <h3>{{t.howFigures}}</h3>
    <ul class="plain">
    {{#method.sentences}}
    <li>{{.}}</li>
    {{/method.sentences}}
    </ul>
    {{^isLoad}}
    <h3>{{t.settings}}</h3>
    {{/isLoad}}
    {{#method.hasSettings}}
    <div class="scroll"><table data-sortable>
    <caption>{{t.settingsCaption}}</caption>
    <thead><tr><th scope="col">{{t.setting}}</th><th scope="col">{{t.world}}</th><th scope="col" class="num">{{t.value}}</th><th scope="col" class="num">{{t.standard}}</th></tr></thead>
    <tbody>
    {{#method.settings}}
    <tr><th scope="row">{{name}}</th><td>{{world}}</td><td class="num">{{value}}</td><td class="num">{{standard}}</td></tr>
    {{/method.settings}}
    </tbody></table></div>
    {{/method.hasSettings}}
    {{^isLoad}}
    {{^method.hasSettings}}
    <p class="soft">{{t.noSettings}}</p>
    {{/method.hasSettings}}
    {{/isLoad}}
    <h3>{{t.provenance}}</h3>
    <dl class="facts">
    {{#method.facts}}
    <dt>{{name}}</dt><dd>{{value}}</dd>
    {{/method.facts}}
    </dl>
    {{^isLoad}}
    {{#method.hasReplications}}
    <details class="screen-only"><summary>{{t.replications}}: {{method.replicationsSummary}}</summary><div class="inside"><div class="scroll"><table data-sortable>
    <caption>{{t.replicationsCaption}}</caption>
    <thead><tr><th scope="col" class="num">{{t.replication}}</th><th scope="col" class="num">{{t.seed}}</th><th scope="col">{{t.digest}}</th><th scope="col" class="num">{{t.peopleColumn}}</th><th scope="col" class="num">{{t.count}}</th></tr></thead>
    <tbody>
    {{#method.replications}}
    <tr><th scope="row" class="num" data-key="{{index.key}}">{{index.text}}</th><td class="num">{{seed}}</td><td><code>{{digest}}</code></td><td class="num" data-key="{{persons.key}}">{{persons.text}}</td><td class="num" data-key="{{requests.key}}">{{requests.text}}</td></tr>
    {{/method.replications}}
    </tbody></table></div></div></details>
    {{/method.hasReplications}}
    {{/isLoad}}
    {{#method.searches}}
    <p class="note">{{.}}</p>
    {{/method.searches}}
    </section>

    """

  private static let appendix = """
    {{#hasAppendix}}
    <section id="appendix">
    <h2>{{t.appendix}}</h2>
    <p>{{t.appendixIntro}}</p>
    {{#latencies.hasOthers}}
    <h3>{{t.othersHeading}}</h3>
    <details class="unfold"><summary>{{latencies.othersSummary}}</summary><div class="inside">
    \(latencyTable("others", caption: "otherLatenciesCaption"))
    </div></details>
    {{/latencies.hasOthers}}
    {{#limits.hasHeld}}
    <h3>{{t.heldHeading}}</h3>
    <details class="unfold"><summary>{{limits.heldSummary}}</summary><div class="inside">
    <div class="scroll" role="region" aria-label="{{t.heldCaption}}" tabindex="0">
    <table class="rules stack compact held" role="table" data-sortable data-filter="{{t.filter}}">
    <caption>{{t.heldCaption}}</caption>
    \(limitHead)
    <tbody role="rowgroup">
    {{#limits.held}}
    \(limitRow)
    {{/limits.held}}
    </tbody></table></div></div></details>
    {{/limits.hasHeld}}
    {{#limits.hasUntried}}
    <h3>{{t.untriedHeading}}</h3>
    <details class="unfold"><summary>{{limits.untriedSummary}}</summary><div class="inside">
    <div class="scroll"><table class="stack compact untried" role="table">
    <caption>{{t.untriedCaption}}</caption>
    <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">{{t.rule}}</th><th scope="col" role="columnheader">{{t.reason}}</th></tr></thead>
    <tbody role="rowgroup">
    {{#limits.untried}}
    <tr role="row"><th scope="row" role="rowheader" class="full"><span class="id">{{id}}</span>{{{statement}}}<small>{{source}}</small></th><td role="cell" class="full">{{#reason}}{{.}}{{/reason}}</td></tr>
    {{/limits.untried}}
    </tbody></table></div></div></details>
    {{/limits.hasUntried}}
    {{#outcomes.hasMoreRefusals}}
    <h3>{{t.moreRefusalsHeading}}</h3>
    <details class="unfold"><summary>{{outcomes.moreRefusalsSummary}}</summary><div class="inside">
    \(tallies("moreRefusals", caption: "moreRefusalsCaption", code: "code"))
    </div></details>
    {{/outcomes.hasMoreRefusals}}
    {{#outcomes.hasMoreUnknowns}}
    <h3>{{t.moreUnknownsHeading}}</h3>
    <details class="unfold"><summary>{{outcomes.moreUnknownsSummary}}</summary><div class="inside">
    \(tallies("moreUnknowns", caption: "moreUnknownsCaption", code: "cause"))
    </div></details>
    {{/outcomes.hasMoreUnknowns}}
    {{#method.hasInProcess}}
    <div class="screen-only">
    <h3>{{t.inProcessHeading}}</h3>
    <details><summary>{{t.inProcessCaption}}</summary><div class="inside">
    <p class="note">{{t.inProcessMeaning}}</p>
    <div class="scroll" role="region" aria-label="{{t.inProcessCaption}}" tabindex="0"><table data-sortable>
    <caption>{{t.inProcessCaption}}</caption>
    <thead><tr><th scope="col">{{t.operation}}</th><th scope="col" class="num">{{t.count}}</th>{{#method.quantiles}}<th scope="col" class="num">{{.}}</th>{{/method.quantiles}}</tr></thead>
    <tbody>
    {{#method.inProcess}}
    <tr><th scope="row">{{path}}</th><td class="num" data-key="{{count.key}}">{{count.text}}</td>{{#quantiles}}<td class="num" data-key="{{key}}">{{text}}</td>{{/quantiles}}</tr>
    {{/method.inProcess}}
    </tbody></table></div></div></details></div>
    {{/method.hasInProcess}}
    </section>
    {{/hasAppendix}}

    """

  private static let foot = """
    </main>
    </div>
    <script>
    {{{script}}}
    </script>
    </body>
    </html>

    """
}
