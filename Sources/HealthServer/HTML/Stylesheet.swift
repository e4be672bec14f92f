import Foundation
import HealthEngine

/// The pages' stylesheet, with a light and a dark theme.
package enum Stylesheet {
    /// The address of the stylesheet.
    package static let path = "/style.css"
    /// The stylesheet.
    package static let text = variables + page + charts + narrow

    /// The CSS variables of the light theme.
    static let light: [(name: String, value: String)] =
        [
            ("paper", "#f4f5f7"), ("card", "#ffffff"), ("ink", "#16191d"), ("quiet", "#4a5058"),
            ("hair", "#dfe2e6"), ("strong", "#6d747c"), ("data", "#3b4654"), ("rest", "#848e9a"),
            ("band", "#dde1e6"), ("usual", "#e4e9ef"), ("aside", "#d9dce0"),
            ("aside-line", "#82888f"), ("accent", "#4a2a94"), ("accent-ink", "#ffffff"),
            ("notice", "#fff4d6"), ("deep", "#251f6f"), ("core", "#4338ca"), ("rem", "#6f67d7"),
            ("awake", "#8b85dd"),
        ] + domains.flatMap { variables($0.name, $0.light) }
    /// The same variables for the dark theme.
    static let dark: [(name: String, value: String)] =
        [
            ("paper", "#101418"), ("card", "#1b1f24"), ("ink", "#eceff2"), ("quiet", "#aab2ba"),
            ("hair", "#2e343a"), ("strong", "#79828b"), ("data", "#c3cbd4"), ("rest", "#717a84"),
            ("band", "#3a424a"), ("usual", "#2b333b"), ("aside", "#32383e"),
            ("aside-line", "#7c858e"), ("accent", "#c9b6ff"), ("accent-ink", "#101418"),
            ("notice", "#3a3113"), ("deep", "#e0e2fd"), ("core", "#a9b0fa"), ("rem", "#818cf8"),
            ("awake", "#5f68b2"),
        ] + domains.flatMap { variables($0.name, $0.dark) }
    /// The colours of sources by rank, equal in both themes: six of Okabe and Ito's colours, and
    /// grey for rank 7 and all further ranks.
    static let sources = [
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a9099",
    ]

    /// The colour of a domain, a lighter tone of at least 3:1 for what isn't selected, and a tone for
    /// bands.
    struct Tones {
        var full: String, rest: String, band: String

        init(_ full: String, _ rest: String, _ band: String) {
            (self.full, self.rest, self.band) = (full, rest, band)
        }
    }

    static let domains: [(name: String, light: Tones, dark: Tones)] = [
        (
            "activity", Tones("#c2410c", "#d47a55", "#f4ddd3"),
            Tones("#fb923c", "#965e31", "#433428")
        ),
        ("heart", Tones("#be123c", "#d8718a", "#f3d4dc"), Tones("#fb7185", "#a65260", "#432e35")),
        ("sleep", Tones("#4338ca", "#8e88df", "#dddbf5"), Tones("#818cf8", "#5d66ae", "#2d334a")),
        ("body", Tones("#0f766e", "#559e98", "#d4e6e5"), Tones("#2dd4bf", "#247870", "#1e4040")),
        ("vitals", Tones("#0369a1", "#5499bf", "#d2e4ee"), Tones("#38bdf8", "#2a7394", "#203b4a")),
        (
            "nutrition", Tones("#4d7c0f", "#7a9d4b", "#dfe7d4"),
            Tones("#a3e635", "#55752b", "#334327")
        ),
        ("mind", Tones("#a21caf", "#c572cd", "#eed6f1"), Tones("#e879f9", "#9253a0", "#402f4a")),
    ]

    private static func variables(_ name: String, _ tones: Tones) -> [(name: String, value: String)]
    {
        [(name, tones.full), (name + "-rest", tones.rest), (name + "-band", tones.band)]
    }

    private static func list(_ values: [(name: String, value: String)]) -> String {
        values.map { "--\($0.name):\($0.value)" }.joined(separator: ";")
    }

    /// The rules for drawings with the light theme's colours in place of variables, which viewers and
    /// converters of SVG files don't know.
    static func drawing(of domain: HealthDomain) -> String {
        let tones = domains.first { "d-\($0.name)" == domain.cssClass.markup }?.light
        let own = tones.map { [("data", $0.full), ("rest", $0.rest), ("band", $0.band)] } ?? []
        let ranks = sources.enumerated().map { ("s\($0.offset + 1)", $0.element) }
        return (own + light + ranks).reduce(charts) { text, variable in
            text.replacingOccurrences(of: "var(--\(variable.0))", with: variable.1)
        }
    }

    private static var variables: String {
        let ranks = sources.enumerated().map { ("s\($0.offset + 1)", $0.element) }
        let classes = domains.map { domain in
            ".d-\(domain.name){--data:var(--\(domain.name));--rest:var(--\(domain.name)-rest);"
                + "--band:var(--\(domain.name)-band)}"
        }.joined()
        return """
            :root{color-scheme:light dark;\(list(light));\(list(ranks))}
            @media (prefers-color-scheme:dark){:root{\(list(dark))}}
            \(classes)

            """
    }

    private static let page = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--paper);color:var(--ink);font:15px/24px system-ui,-apple-system,\
        "Segoe UI",Roboto,"Noto Sans",Ubuntu,Cantarell,"Helvetica Neue",sans-serif;\
        font-variant-numeric:tabular-nums}
        main{max-width:1120px;margin:0 auto;padding:24px 24px 64px}
        a{color:inherit;text-underline-offset:3px}
        a:hover{color:var(--accent)}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
        .skip{position:absolute;left:-999px}
        .skip:focus{left:8px;top:8px;background:var(--paper);padding:8px}
        header nav{background:var(--card)}
        header ul{max-width:1120px;margin:0 auto;padding:0 16px;list-style:none;display:flex;\
        flex-wrap:wrap}
        header nav a{display:block;padding:12px 8px 9px;margin-right:8px;text-decoration:none;\
        color:var(--quiet);border-bottom:3px solid transparent}
        header nav a[aria-current]{color:var(--ink);font-weight:600;border-color:var(--accent)}
        h1{font-size:15px;line-height:24px;font-weight:600;color:var(--quiet);margin:0}
        h2{font-size:17px;line-height:24px;font-weight:600;margin:0 0 8px}
        h3{font-size:13px;line-height:16px;font-weight:600;color:var(--quiet);margin:16px 0 8px}
        p{margin:0 0 8px;max-width:70ch}
        .answer{font-size:34px;line-height:40px;font-weight:600;margin:4px 0 8px;max-width:none;\
        text-wrap:pretty}
        .answer b{font-size:56px;line-height:64px;font-weight:600}
        .parts{font-size:17px;line-height:24px;color:var(--quiet)}
        .fresh,.small,figcaption{font-size:13px;line-height:16px;color:var(--quiet)}
        .fresh{margin-bottom:16px}
        .fresh b{color:var(--ink)}
        .notice{background:var(--notice);border-radius:12px;padding:12px 16px;margin-bottom:16px}
        .notice p{margin:0}
        .notice form{margin:8px 0 0}
        .notice.row{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}
        .notice.row p{flex:1 1 auto}
        .notice.row form{margin:0}
        .notice button.second{background:none;color:var(--ink);border-color:var(--strong)}
        .cards{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:24px;margin-bottom:24px}
        .card{background:var(--card);border-radius:12px;padding:16px;margin:0 0 24px;min-width:0}
        .cards .card{margin:0}
        a.card{display:block;text-decoration:none;color:var(--ink)}
        a.card:hover h2{text-decoration:underline}
        .card h2 .when{float:right;font-weight:400;font-size:13px;color:var(--quiet)}
        .number{font-size:34px;line-height:40px;font-weight:600;margin:0}
        .hero{font-size:56px;line-height:64px;font-weight:600;margin:0}
        .number small,.hero small{display:inline-block;font-size:15px;line-height:24px;font-weight:400;\
        color:var(--quiet)}
        .compare{font-size:13px;line-height:16px;color:var(--quiet);margin:4px 0 8px;max-width:110ch}
        .range{white-space:nowrap}.range .patch{vertical-align:-1px}
        .compare b{color:var(--ink);font-weight:600}
        .none{color:var(--quiet)}
        .highlights{list-style:none;margin:0 0 24px;padding:0;display:grid;gap:8px}
        .highlights a{display:block;background:var(--card);border-radius:12px;padding:12px 16px;\
        text-decoration:none}
        .tabs{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 16px;padding:0;list-style:none}
        .tabs a,.tabs span,button,.button{display:inline-block;border:1px solid var(--strong);\
        border-radius:8px;padding:3px 11px;text-decoration:none;background:none;color:var(--ink);\
        font:inherit;cursor:pointer}
        .tabs [aria-current]{background:var(--ink);border-color:var(--ink);color:var(--paper)}
        .under{text-anchor:middle}
        .moves a{white-space:nowrap;margin-right:4px}
        main form+p{margin-top:8px}
        .tabs span.off{border-color:var(--hair);color:var(--quiet);cursor:default}
        .tabs a:hover,button:hover{border-color:var(--accent);color:var(--accent)}
        .tabs a[aria-current]:hover{color:var(--paper)}
        .act,.notice button:not(.second){padding:3px 11px;text-decoration:none;background:var(--accent);\
        border-color:var(--accent);color:var(--accent-ink)}
        .dates{display:flex;flex-wrap:wrap;gap:8px;align-items:start;margin:0 0 16px}
        .dates .tabs{margin:0}
        .calendar{position:relative;font-size:15px;line-height:24px}
        .calendar>summary{border:1px solid var(--strong);border-radius:8px;padding:3px 11px;\
        color:var(--ink);list-style:none}
        .calendar>div{position:absolute;z-index:2;background:var(--card);border-radius:12px;\
        padding:16px;margin-top:8px;width:340px;outline:1px solid var(--hair)}
        .calendar table{width:auto}
        .calendar th,.calendar td{padding:0;border:0;text-align:center;width:44px;height:44px;\
        vertical-align:middle}
        .calendar td a{display:block;line-height:44px;text-decoration:none;border-radius:8px}
        .calendar td a:hover{text-decoration:underline}
        .calendar td a[aria-current]{background:var(--ink);color:var(--paper);font-weight:600}
        .calendar td .off{color:var(--quiet)}
        .calendar ul a{display:inline-block;line-height:44px}
        .calendar ul{display:flex;justify-content:space-between;gap:8px;list-style:none;padding:0;\
        margin:0 0 8px}
        .calendar abbr{text-decoration:none}
        .nothing{margin-bottom:16px;max-width:110ch}
        .calendar .months{display:grid;grid-template-columns:repeat(4,1fr);gap:0;margin:0}
        .calendar .months a,.calendar .months span{display:block;line-height:44px;text-align:center;\
        text-decoration:none}
        .calendar .months a:hover{text-decoration:underline}
        .calendar .months .off{color:var(--quiet)}
        form.line{display:flex;flex-wrap:wrap;gap:8px;align-items:end;margin:0 0 16px}
        .screen{margin:0 0 16px}
        .typed{display:flex;flex-wrap:wrap;gap:8px;align-items:end;margin:0 0 8px}
        .problem{margin:0;font-weight:600}
        label{display:block;font-size:13px;line-height:16px;color:var(--quiet)}
        select,input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--strong);\
        border-radius:8px;padding:3px 8px;height:32px;max-width:100%}
        textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--strong);\
        border-radius:8px;padding:8px;width:100%;max-width:70ch;min-height:72px;display:block;\
        margin:0 0 8px}
        .note-text{overflow-wrap:anywhere}
        input[type=checkbox]{width:20px;height:20px;margin:0}
        table{border-collapse:collapse}
        caption{text-align:left;font-size:13px;line-height:16px;color:var(--quiet);padding:8px 0}
        th,td{text-align:left;padding:3px 24px 4px 0;border-bottom:1px solid var(--hair);\
        vertical-align:top;font-weight:400}
        thead th{font-size:13px;line-height:16px;color:var(--quiet);vertical-align:bottom}
        .n{text-align:right}
        tr.total th,tr.total td{border-top:1px solid var(--ink);font-weight:600}
        .scroll{overflow-x:auto}
        details .scroll{max-height:480px;overflow-y:auto}
        ul{padding-left:24px;margin:0 0 8px}
        .rows{list-style:none;padding:0;margin:0}
        .rows a{display:flex;gap:16px;padding:10px 0;border-bottom:1px solid var(--hair);\
        text-decoration:none;align-items:baseline}
        .rows a:hover span:first-child{text-decoration:underline}
        .rows.one-line span:first-child{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
        .rows .when{flex:none;white-space:nowrap}
        .rows a[aria-current]{font-weight:600}
        .rows li:last-child a{border-bottom:0}
        .rows span:first-child{flex:1;min-width:0}
        .rows b{font-weight:600;white-space:nowrap}
        details{font-size:13px;line-height:16px}
        summary{color:var(--quiet);cursor:pointer;padding:4px 0}
        code,.command{font:13px/16px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",\
        monospace;overflow-wrap:anywhere}
        .command{display:inline-block;border:1px solid var(--hair);padding:7px 8px}
        dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 16px;margin:0 0 8px}
        dt{color:var(--quiet)}
        dd{margin:0}
        .drop{border:2px dashed var(--strong);border-radius:12px;padding:24px;display:grid;gap:12px;\
        grid-template-columns:minmax(0,1fr);justify-items:start}
        .drop.over{border-color:var(--accent);background:var(--usual)}
        .drop input[type=file]{height:auto;min-height:44px;padding:8px;max-width:100%}
        .drop button{min-height:44px}
        [hidden]{display:none!important}
        progress{width:100%;height:16px;accent-color:var(--accent)}
        .steps{padding-left:24px}
        .steps li{margin-bottom:8px}
        .who{margin-bottom:8px}
        .report-row{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:24px;\
        align-items:start}
        .report dl{margin:0;grid-template-columns:fit-content(14em) minmax(0,1fr)}
        .report dd,.report dt,.report-words p{overflow-wrap:anywhere}
        .report-chart{min-width:0}footer.report p{max-width:none;margin:0 0 4px}
        .whole{flex:1 1 100%}
        .finding{border-top:1px solid var(--hair);padding:16px 0 8px}
        .finding:first-of-type{border-top:0;padding-top:0}
        .finding>:last-child,.card>:last-child{margin-bottom:0}
        .what{font-size:22px;line-height:28px;font-weight:600}

        """

    private static let charts = """
        figure{margin:0}
        .plot-row{display:flex;gap:0}
        .plot{flex:1 1 0;min-width:0;overflow:visible;touch-action:pan-y}
        .axis,.sums{flex:none;overflow:visible}
        .patterns{position:absolute}
        svg text{font-size:13px;fill:var(--quiet)}
        svg text.lane,svg text.sum{fill:var(--ink)}
        svg text.sum{font-weight:600}
        .grid{stroke:var(--hair);stroke-width:1}
        .base{stroke:var(--strong);stroke-width:1}
        .pair{fill:var(--data)}
        .goal{stroke:var(--ink);stroke-width:1;stroke-dasharray:4 4}
        .usual{fill:var(--usual)}
        .usual-key{fill:var(--usual);stroke:var(--aside-line)}
        .bars{fill:var(--rest)}
        .bars.picked{fill:var(--data)}
        .spark{display:block;width:100%;height:48px}
        .spark .bars{fill:var(--data)}
        .median{stroke:var(--strong);stroke-width:1;stroke-dasharray:2 3}
        .hit{fill:transparent}
        a:hover .hit,a:focus .hit{fill:var(--ink);fill-opacity:.08}
        .mark-value{font-weight:600;fill:var(--ink)}
        .st-deep{fill:var(--deep)}.st-core,.st-asleep{fill:var(--core)}.st-rem{fill:var(--rem)}\
        .st-awake{fill:var(--awake)}.st-inBed{fill:var(--usual);stroke:var(--aside-line)}
        .y0{fill:none;stroke:var(--strong);stroke-width:.5}.y1{fill:var(--data);fill-opacity:.2}\
        .y2{fill:var(--data);fill-opacity:.4}.y3{fill:var(--data);fill-opacity:.6}\
        .y4{fill:var(--data);fill-opacity:.8}.y5{fill:var(--data)}
        .year{overflow-x:auto}
        .now{fill:url(#hatch-now);stroke:var(--data);stroke-width:1}
        .band{fill:var(--band);stroke:var(--band);stroke-width:1;vector-effect:non-scaling-stroke}
        .line{fill:none;stroke:var(--data);stroke-width:2;stroke-linejoin:round;stroke-linecap:round;\
        vector-effect:non-scaling-stroke}
        .lone{stroke-width:5}
        .aside{fill:url(#hatch);stroke:var(--aside-line);stroke-width:1}
        .hatch-ground{fill:var(--aside)}
        .hatch-line{stroke:var(--aside-line);stroke-width:1.5}
        .now-ground{fill:var(--card)}
        .now-line{stroke:var(--data);stroke-width:2}
        .s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}\
        .s5{fill:var(--s5)}.s6{fill:var(--s6)}.s7{fill:var(--s7)}
        .dot{stroke:var(--card);stroke-width:1}
        .noted{pointer-events:all;fill:none;stroke:var(--ink);stroke-width:1.5}
        .cursor{stroke:var(--accent);stroke-width:1}
        .pick{fill:var(--accent);fill-opacity:.15}
        .legend{display:flex;flex-wrap:wrap;gap:0 16px;font-size:13px;line-height:24px}
        .key{display:inline-flex;align-items:center;gap:8px;color:var(--quiet)}
        .key b{color:var(--ink)}
        .patch{flex:none}
        .readout{display:block;min-height:16px;font-size:13px;line-height:16px}
        .rings{display:flex;flex-wrap:wrap;gap:16px;align-items:center}
        .ring,.ring-rest{fill:none;stroke-width:12}
        .ring-rest{stroke:var(--usual)}
        .ring1{stroke:var(--activity)}.ring2{stroke:var(--nutrition)}.ring3{stroke:var(--vitals)}
        .ring-words{list-style:none;margin:0;padding:0}
        .ring-words li{padding-left:76px;text-indent:-76px}
        .ring-words span{display:inline-block;width:72px;text-indent:0;color:var(--quiet)}
        .route{display:block;width:100%;height:auto;max-height:400px}
        .way{fill:none;stroke:var(--data);stroke-width:3;stroke-linejoin:round;stroke-linecap:round;\
        vector-effect:non-scaling-stroke}
        .way-start{fill:var(--ink);stroke:var(--card);stroke-width:2}
        .way-end{fill:none;stroke:var(--ink);stroke-width:2}
        .scale{fill:none;stroke:var(--quiet);stroke-width:1.5;vector-effect:non-scaling-stroke}
        .night{text-decoration:none}

        """

    private static let narrow = """
        @media (max-width:960px){.cards{grid-template-columns:repeat(2,minmax(0,1fr))}}
        @media (max-width:640px){html{scroll-padding-bottom:72px}.calendar{position:static}\
        .calendar>div{left:16px;right:16px;width:auto}.year{direction:rtl}.year svg{direction:ltr}.wide,.lanes .tick.second{display:none}main{padding:16px 16px 96px}\
        .cards{grid-template-columns:minmax(0,1fr);gap:16px}\
        header{position:fixed;left:0;right:0;bottom:0;z-index:3}\
        header nav{border-top:1px solid var(--hair)}header ul{padding:0;flex-wrap:nowrap}\
        header li{flex:1}header nav a{margin:0;padding:13px 0 11px;text-align:center;font-size:13px;\
        line-height:24px;border-bottom:0}\
        .answer{font-size:17px;line-height:24px}.answer b{line-height:56px}\
        .tabs a,.tabs span,button,.button,.calendar>summary{padding:9px 11px}\
        button,.button,.offers a{min-height:44px}.offers a{padding:9px 11px}\
        summary{padding:14px 0}select,input{height:44px}th,td{padding-right:8px}tbody th{min-width:6em}}
        @media (prefers-reduced-motion:no-preference){.changed{animation:changed 1s}\
        @keyframes changed{from{background:var(--usual)}}}
        @page{size:A4;margin:15mm}
        @media (max-width:640px){.report-row{grid-template-columns:minmax(0,1fr)}}
        @media print{:root{color-scheme:light;\(list(light));--paper:#fff;--quiet:#333}\
        header,nav,form,.notice,.tabs,.dates,.readout,.skip,summary,.screen,.offers{display:none!important}\
        .card{break-inside:avoid}main{padding:0;max-width:none}\
        body{background:#fff;font-size:9pt;line-height:12pt}.answer{font-size:13pt;line-height:16pt}\
        .card.report{padding:6pt 0;margin:0;border-radius:0}\
        .report h2{font-size:10pt;line-height:13pt;margin:0 0 3pt}\
        .report p{max-width:none;margin:0 0 3pt}footer.report{font-size:8pt;line-height:10pt}}

        """
}
