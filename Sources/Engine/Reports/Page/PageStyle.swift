/// The page's style sheet: system fonts, one accent, hairlines; light and dark; phone, desk and paper.
///
/// Tones keep a contrast of at least 4.5 to 1 against the page (WCAG 2.2, 1.4.3), lines of charts 3 to 1.
enum PageStyle {
  static let css = palette + text + structure + tables + charts + small + paper

  private static let palette = """
    :root{color-scheme:light dark;--page:#fff;--raised:#f7f8fa;--ink:#171b24;--soft:#525b6b;--line:#e2e5eb;\
    --strong:#c5cad4;--accent:#3651c9;--accent-soft:#dfe5fb;--pass:#14713f;--pass-soft:#e4f4ea;--fail:#bd1f2d;\
    --fail-soft:#fdeaea;--open:#8a5a00;--open-soft:#fdf1d8;--idle:#525b6b;--idle-soft:#eef0f3;--replied:#6f86de;\
    --refused:#b7791f;--lost:#c8323f}
    @media (prefers-color-scheme:dark){:root{--page:#0f1218;--raised:#171b23;--ink:#e9ebf0;--soft:#a2abba;\
    --line:#272d38;--strong:#414a59;--accent:#9db0ff;--accent-soft:#1f2947;--pass:#5fcf93;--pass-soft:#12291d;\
    --fail:#ff8a87;--fail-soft:#331518;--open:#e8b64c;--open-soft:#2f2510;--idle:#a2abba;--idle-soft:#1f242d;\
    --replied:#556bc0;--refused:#d99a3a;--lost:#f06a70}}

    """

  private static let text = """
    *,*::before,*::after{box-sizing:border-box}
    [hidden]{display:none!important}
    html{-webkit-text-size-adjust:100%;scroll-padding-top:1.5rem}
    body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 -apple-system,\
    BlinkMacSystemFont,"Segoe UI",Inter,Roboto,"Noto Sans","Liberation Sans","Helvetica Neue",Arial,system-ui,sans-serif;font-variant-numeric:tabular-nums;\
    overflow-wrap:anywhere}
    h1,h2,h3{line-height:1.25;letter-spacing:-.011em;text-wrap:balance;margin:0}
    h1{font-size:1.0625rem;font-weight:600}
    h2{font-size:1.375rem;font-weight:650}
    h3{font-size:1rem;font-weight:650;margin:2.25rem 0 .5rem}
    p{margin:.5rem 0;max-width:68ch}
    p,li,dd,small{text-wrap:pretty}
    a{color:var(--accent);text-underline-offset:.18em}
    code{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
    .soft{color:var(--soft)}
    .note{color:var(--soft);font-size:.875rem}
    :focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
    .skip{position:absolute;left:1rem;top:-4rem;background:var(--page);padding:.5rem .75rem;z-index:2;\
    border:1px solid var(--strong);border-radius:6px}
    .skip:focus{top:1rem}

    """

  private static let structure = """
    .frame{max-width:76rem;margin:0 auto;padding:2.5rem 1.5rem 4rem;display:grid;\
    grid-template-columns:minmax(0,1fr);gap:0 3.5rem}
    .page{max-width:76rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
    header.top{padding-bottom:1.25rem;border-bottom:1px solid var(--line)}
    header.top p{margin:.15rem 0 0;max-width:none}
    .eyebrow{font-size:.875rem;color:var(--soft)}
    nav ul{list-style:none;margin:0;padding:1rem 0 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.875rem}
    nav a{color:var(--soft);text-decoration:none;display:inline-block;padding:.2rem 0}
    nav a:hover{color:var(--ink);text-decoration:underline}
    main>section{padding:2.75rem 0 0;margin:0}
    main>section+section{margin-top:3rem;border-top:1px solid var(--line)}
    .verdict{padding-top:2.25rem}
    .verdict h2{font-size:clamp(1.5rem,1.1rem + 1.9vw,2.25rem);line-height:1.2;letter-spacing:-.02em;\
    margin:1rem 0 0;max-width:26ch}
    .verdict h3{margin-top:1.75rem;font-size:.875rem;color:var(--soft);font-weight:600;letter-spacing:0}
    .meaning{margin:.4rem 0 1rem;padding:0;list-style:none;max-width:68ch}
    .meaning li{padding:.25rem 0 .25rem 1.6rem;position:relative;font-weight:500}
    .sign{position:absolute;left:0;color:var(--fail);font-weight:700}
    .sign.inconclusive{color:var(--open)}
    .next{margin:.4rem 0 1rem;padding:0;list-style:none;max-width:68ch}
    .next li{padding:.25rem 0}
    .context{color:var(--soft)}
    .context li{margin:.4rem 0}
    .context strong{color:var(--ink);font-weight:600}
    .id{font-weight:400;color:var(--soft);margin-right:.6em;white-space:nowrap}
    .badge{display:inline-flex;align-items:center;gap:.4em;font-size:.8125rem;font-weight:600;line-height:1;\
    padding:.36em .65em .36em .5em;border-radius:99px;white-space:nowrap;background:var(--idle-soft);color:var(--idle)}
    .badge.big{font-size:1rem;padding:.5em .9em .5em .75em}
    .badge.pass{background:var(--pass-soft);color:var(--pass)}
    .badge.fail{background:var(--fail-soft);color:var(--fail)}
    .badge.inconclusive{background:var(--open-soft);color:var(--open)}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:1rem 1.5rem;\
    margin:2rem 0 0;padding:1.25rem 0 0;border-top:1px solid var(--line)}
    .figures div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
    .figures dt{font-size:.8125rem;color:var(--soft);line-height:1.4}
    .figures dd{margin:0;font-size:1.5rem;font-weight:600;letter-spacing:-.02em;line-height:1.3;white-space:nowrap}
    .command{display:block;background:var(--raised);border:1px solid var(--line);border-radius:6px;\
    padding:.5rem .7rem;margin:.35rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
    details{margin-top:1.5rem;border:1px solid var(--line);border-radius:8px}
    summary{cursor:pointer;padding:.7rem 1rem;font-weight:600;font-size:.9375rem}
    details>.inside{padding:0 1rem 1rem}
    .command span{display:inline-block;max-width:100%}

    """

  private static let tables = """
    .scroll{overflow-x:auto;margin-top:1.25rem}
    table{border-collapse:collapse;width:100%;font-size:.875rem;line-height:1.5}
    caption{text-align:left;color:var(--soft);font-size:.8125rem;padding:0 0 .5rem}
    th,td{text-align:left;vertical-align:top;padding:.7rem 1rem .7rem 0;border-bottom:1px solid var(--line)}
    th:last-child,td:last-child{padding-right:0}
    thead th{font-size:.8125rem;font-weight:600;color:var(--soft);padding-top:.4rem;padding-bottom:.4rem;\
    border-bottom-color:var(--strong);white-space:nowrap;vertical-align:bottom}
    tbody th{font-weight:500}
    table{overflow-wrap:break-word}
    th[scope=row]{min-width:10rem}
    .num{text-align:right;white-space:nowrap}
    th.num{min-width:0}
    td small,th small{display:block;color:var(--soft);font-size:.75rem;font-weight:400}
    .sort{font:inherit;color:inherit;background:none;border:0;padding:.15rem 0;margin:-.15rem 0;cursor:pointer}
    .sort:hover{color:var(--ink)}
    .sort::after{content:"";display:inline-block;width:.75em;margin-left:.25em;text-align:center}
    .num .sort::after{margin-left:0;margin-right:-.75em;width:.75em}
    [aria-sort=ascending] .sort::after{content:"\\2191"}
    [aria-sort=descending] .sort::after{content:"\\2193"}
    .rules td:nth-child(2){width:100%}
    .urgent{font-weight:600}
    .rule code,.proof p code{font-size:.92em}
    .proof{list-style:none;margin:.75rem 0 0;padding:.85rem 1rem;background:var(--raised);border-radius:8px}
    .proof li+li{margin-top:.9rem;padding-top:.9rem;border-top:1px solid var(--line)}
    .proof p{margin:0 0 .15rem}
    .proof .command{background:var(--page)}
    .lead{display:flex;flex-wrap:wrap;align-items:baseline;gap:.5rem .75rem;font-weight:500;margin-top:1rem}
    .reach{display:block;height:4px;border-radius:2px;background:var(--line);margin-top:.45rem;max-width:22rem}
    .reach i{display:block;height:100%;border-radius:2px;background:var(--accent)}
    .parts{display:flex;height:6px;min-width:8rem;margin:.5rem 0 .3rem;border-radius:3px;overflow:hidden;background:var(--line)}
    .parts i{display:block;height:100%;min-width:1px}
    .parts .network{background:var(--strong)}
    .parts .waiting{background:var(--refused)}
    .parts .service{background:var(--accent)}
    .parts .other{background:var(--lost)}
    td.made{width:15rem}
    td.made small{line-height:1.4}
    .untried th[scope=row]{width:62%}
    .remark{margin-top:.3rem;max-width:44ch;font-size:.8125rem}
    .idle-text{color:var(--idle)}
    .matrix td{white-space:nowrap}
    .pass-text{color:var(--pass);font-weight:700}.fail-text{color:var(--fail);font-weight:700}
    .inconclusive-text{color:var(--open);font-weight:700}
    .filter{display:flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:center;margin-top:1rem;font-size:.8125rem;color:var(--soft)}
    .filter input{font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--idle);border-radius:6px;\
    padding:.35rem .6rem;min-width:0;width:16rem;max-width:100%}
    .facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.4rem 1.5rem;margin:.75rem 0 0;font-size:.875rem}
    .facts dt{color:var(--soft)}
    .facts dd{margin:0}
    .plain{padding-left:1.1rem;max-width:68ch;margin:.5rem 0}
    .plain li{margin:.25rem 0}

    """

  private static let charts = """
    .chart{display:block;width:100%;height:auto;overflow:visible}
    .chart text{font-size:11px;fill:var(--soft)}
    .chart .strong{fill:var(--ink);font-weight:600}
    .chart .grid{stroke:var(--line);stroke-width:1}
    .chart .axis{stroke:var(--strong);stroke-width:1}
    .chart .bound{stroke:var(--ink);stroke-width:1.5}
    .chart .curve{fill:none;stroke:var(--accent);stroke-width:1.75;stroke-linejoin:round}
    .chart .curve.tail{stroke:var(--ink);stroke-dasharray:5 3}
    .chart .allowed{fill:var(--idle);opacity:.16}
    .chart .hit{fill:transparent;pointer-events:all}
    .chart .hit:hover{fill:var(--ink);opacity:.08}
    .chart .whisker{stroke:var(--ink);stroke-width:1.25}
    .chart .point{fill:var(--page);stroke:var(--ink);stroke-width:1.25}
    .chart .replied{fill:var(--replied)}
    .chart .refused{fill:var(--refused)}
    .chart .lost{fill:var(--lost)}
    .chart .fault{fill:var(--fail);opacity:.12}
    .chart .event{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 3}
    .chart .badge{fill:var(--page);stroke:var(--soft);stroke-width:1}
    .chart .fault-badge{stroke:var(--fail)}
    .chart .badge-text{font-size:9.5px;fill:var(--ink)}
    .chart .forbidden{fill:var(--ink);opacity:.07}
    .chart .range{fill:var(--idle);opacity:.38}
    .chart .dot{fill:var(--idle);stroke:var(--page);stroke-width:1.25}
    .chart .range.pass{fill:var(--pass)}.chart .dot.pass{fill:var(--pass)}
    .chart .range.fail{fill:var(--fail)}.chart .dot.fail{fill:var(--fail)}
    .chart .range.inconclusive{fill:var(--open)}.chart .dot.inconclusive{fill:var(--open)}
    .chart.bar{width:11.25rem;max-width:100%;overflow:hidden}
    .chart.narrow{display:none}
    figure{margin:0}
    figcaption{font-size:.8125rem;color:var(--soft);line-height:1.45;margin:0 0 .6rem}
    figcaption strong{display:block;color:var(--ink);font-size:.875rem;font-weight:600}
    .grid-of-charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));\
    gap:2rem 2rem;margin-top:1.5rem}
    .grid-of-charts figure{display:flex;flex-direction:column;justify-content:space-between}
    .load{margin-top:1.5rem}
    .only-narrow{display:none}
    .legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.75rem 0 0;\
    font-size:.8125rem;color:var(--soft)}
    .legend i{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.45em;vertical-align:-.04em}
    .legend .replied{background:var(--replied)}
    .legend .refused{background:var(--refused)}
    .legend .lost{background:var(--lost)}
    .legend .line{height:0;width:1.4em;border-top:2px solid var(--accent);border-radius:0;vertical-align:.25em}
    .legend .line.tail{border-top:2px dashed var(--ink)}
    .legend .fault{background:var(--fail);opacity:.3}
    .happenings{list-style:none;padding:0;margin:.75rem 0 0;font-size:.875rem}
    .happenings li{display:grid;grid-template-columns:1.5rem 3.5rem minmax(0,12rem) minmax(0,1fr);gap:0 .75rem;\
    padding:.35rem 0;border-bottom:1px solid var(--line)}
    .happenings b{font-weight:600;text-align:right}

    """

  private static let small = """
    @media (min-width:72rem){
      .frame{grid-template-columns:11rem minmax(0,1fr)}
      header.top{grid-column:1/-1}
      nav{position:sticky;top:0;align-self:start;padding-top:2.25rem}
      nav ul{display:block;padding:0}
      nav a{display:block;padding:.3rem 0}
    }
    @media (max-width:40rem){
      .frame{padding:1.25rem 1rem 3rem}
      main>section{padding-top:2rem}
      main>section+section{margin-top:2.25rem}
      .chart.wide,.only-wide{display:none}
      .chart.narrow{display:block}
      .only-narrow{display:inline}
      .facts{grid-template-columns:minmax(0,1fr);gap:0}
      .facts dd{margin-bottom:.6rem}
      .stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
      .stack,.stack tbody,.stack caption{display:block}
      .stack tr{display:flex;flex-wrap:wrap;align-items:baseline;gap:.35rem 1.25rem;padding:.9rem 0;\
    border-bottom:1px solid var(--line)}
      .stack td,.stack th{display:block;border:0;padding:0;text-align:left}
      .stack td.full,.stack th.full{width:100%}
      .stack{overflow-wrap:anywhere}
      .stack th[scope=row]{min-width:0}
      .stack .num{min-width:calc(50% - .625rem)}
      .stack td:empty{display:none}
      .stack td.num small{display:inline;margin-left:.5em}
      .stack td.made{width:100%}
      .remark{max-width:none}
      .stack .chart.bar{width:16rem}
      .stack td[data-label]::before{content:attr(data-label) " ";color:var(--soft)}
      nav ul{flex-wrap:nowrap;overflow-x:auto;padding-bottom:.5rem}
      nav a{white-space:nowrap}
      .happenings li{grid-template-columns:1.5rem minmax(0,1fr)}
      .happenings li>*{grid-column:2}
      .happenings b{grid-column:1;grid-row:1}
    }
    @media (max-width:60rem){.chart.wide text{font-size:14px}.chart.wide .badge-text{font-size:10px}}
    @media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}

    """

  private static let paper = """
    @media print{
      :root{color-scheme:light;--page:#fff;--raised:#f7f8fa;--ink:#000;--soft:#444c5a;--line:#d9dde4;--strong:#aab1bd;\
    --accent:#3651c9;--pass:#14713f;--pass-soft:#e4f4ea;--fail:#bd1f2d;--fail-soft:#fdeaea;--open:#8a5a00;\
    --open-soft:#fdf1d8;--idle:#525b6b;--idle-soft:#eef0f3;--replied:#6f86de;--refused:#b7791f;--lost:#c8323f}
      @page{margin:16mm 14mm}
      *{-webkit-print-color-adjust:exact;print-color-adjust:exact}
      @page{@bottom-right{content:counter(page) " / " counter(pages);font:8pt sans-serif;color:#444c5a}}
      body{font-size:9.5pt;line-height:1.45}
      nav,.skip,.filter,.screen-only{display:none!important}
      .frame{display:block;max-width:none;padding:0}
      .scroll{overflow:visible;margin-top:.75rem}
      header.top{padding-bottom:.75rem}
      main>section{padding-top:1.1rem}
      main>section+section{margin-top:1.1rem}
      .verdict h2{font-size:19pt;max-width:none;margin-top:.6rem}
      .verdict h3{margin-top:1rem}
      .figures{margin-top:1rem;padding-top:.75rem}
      h2{font-size:13pt}
      h3{font-size:10.5pt;margin:1.1rem 0 .3rem}
      h2,h3,caption,figcaption,summary{break-after:avoid}
      tr,figure,.proof li,.context li{break-inside:avoid}
      thead{display:table-header-group}
      table{font-size:8pt;line-height:1.35}
      th,td{padding:.3rem .6rem .3rem 0}
      thead th,caption{font-size:7.5pt}
      td small,th small{font-size:7pt}
      .badge{font-size:7.5pt}
      p,.plain,.context{max-width:none}
      .note,.command,.happenings{font-size:8.5pt}
      .parts{height:4px;margin:.25rem 0 .15rem}
      td.made{width:9rem}
      .reach{display:none}
      #appendix{break-before:page}
      .compact{font-size:7.5pt;line-height:1.3}
      .compact th,.compact td{padding:.12rem .5rem .12rem 0}
      .compact code{font-size:inherit;line-height:inherit}
      .compact small,.held td:first-child,.held th:first-child,.held td:last-child,.held th:last-child{display:none}
      details{border:0;margin-top:.25rem}
      details.unfold summary{display:none}
      details>.inside{padding:0}
      details::details-content{content-visibility:visible;display:block;block-size:auto}
      .grid-of-charts{grid-template-columns:repeat(3,minmax(0,1fr));gap:1rem}
      .chart.wide text{font-size:14px}.chart.wide .badge-text{font-size:10px}
    }
    """
}
