/// The pages' stylesheet, with a light and a dark theme.
package enum Stylesheet {
    /// The address of the stylesheet.
    package static let path = "/style.css"
    /// The stylesheet.
    package static let text = variables + page + charts + narrow

    /// The CSS variables of the light theme.
    static let light: [(name: String, value: String)] = [
        ("paper", "#ffffff"), ("card", "#ffffff"), ("ink", "#16191d"), ("quiet", "#50565e"),
        ("hair", "#dfe2e6"), ("strong", "#6d747c"), ("data", "#3b4654"), ("band", "#c9d0d9"),
        ("usual", "#eef1f4"), ("aside", "#d9dce0"), ("aside-line", "#82888f"),
        ("accent", "#4a2a94"), ("accent-ink", "#ffffff"), ("notice", "#fff4d6"),
    ]
    /// The same variables for the dark theme.
    static let dark: [(name: String, value: String)] = [
        ("paper", "#101316"), ("card", "#181c20"), ("ink", "#eceff2"), ("quiet", "#aab2ba"),
        ("hair", "#2e343a"), ("strong", "#79828b"), ("data", "#c3cbd4"), ("band", "#46505b"),
        ("usual", "#20262c"), ("aside", "#32383e"), ("aside-line", "#7c858e"),
        ("accent", "#c9b6ff"), ("accent-ink", "#101316"), ("notice", "#3a3113"),
    ]
    /// The colours of sources by rank, equal in both themes: six of Okabe and Ito's colours, and
    /// grey for rank 7 and all further ranks.
    static let sources = [
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a9099",
    ]

    private static var variables: String {
        func list(_ values: [(name: String, value: String)]) -> String {
            values.map { "--\($0.name):\($0.value)" }.joined(separator: ";")
        }
        let ranks = sources.enumerated().map { ("s\($0.offset + 1)", $0.element) }
        return """
            :root{color-scheme:light dark;\(list(light));\(list(ranks))}
            @media (prefers-color-scheme:dark){:root{\(list(dark))}}

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
        header{border-bottom:1px solid var(--hair)}
        nav ul{max-width:1120px;margin:0 auto;padding:0 16px;list-style:none;display:flex;\
        flex-wrap:wrap}
        nav a{display:block;padding:12px 8px 9px;margin-right:8px;text-decoration:none;\
        color:var(--quiet);border-bottom:3px solid transparent}
        nav a[aria-current]{color:var(--ink);font-weight:600;border-color:var(--accent)}
        h1{font-size:15px;line-height:24px;font-weight:600;color:var(--quiet);margin:0}
        h2{font-size:15px;line-height:24px;font-weight:600;margin:0 0 8px}
        h3{font-size:13px;line-height:16px;font-weight:600;color:var(--quiet);margin:16px 0 8px}
        p{margin:0 0 8px;max-width:70ch}
        .answer{font-size:28px;line-height:40px;font-weight:600;margin:8px 0;max-width:58ch;text-wrap:pretty}
        .parts{font-size:19px;line-height:24px;color:var(--quiet)}
        .fresh,.small,figcaption{font-size:13px;line-height:16px;color:var(--quiet)}
        .fresh{margin-bottom:24px}
        .fresh b{color:var(--ink)}
        .notice{background:var(--notice);padding:8px 16px;margin-bottom:16px}
        .notice p{margin:0}
        .notice form{margin:8px 0 0}
        .cards{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:16px}
        .card{background:var(--card);border:1px solid var(--hair);padding:16px;margin:0 0 16px;\
        min-width:0}
        .cards .card{margin:0}
        .cards{margin-bottom:16px}
        .wide{grid-column:span 2}
        .number{font-size:28px;line-height:32px;font-weight:600;margin:0}
        .hero{font-size:44px;line-height:48px;font-weight:600;margin:0}
        .number small,.hero small{display:inline-block;font-size:15px;line-height:24px;font-weight:400;\
        color:var(--quiet)}
        .compare{font-size:13px;line-height:16px;color:var(--quiet);margin:4px 0 8px;min-height:32px}
        .range{white-space:nowrap}.range .patch{vertical-align:-1px}
        .compare b{color:var(--ink);font-weight:600}
        .none{color:var(--quiet)}
        .tabs{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 16px;padding:0;list-style:none}
        .tabs a,.tabs span,button{display:inline-block;border:1px solid var(--strong);padding:3px 11px;\
        text-decoration:none;background:none;color:var(--ink);font:inherit;cursor:pointer}
        .tabs [aria-current]{background:var(--ink);border-color:var(--ink);color:var(--paper)}
        .under{text-anchor:middle}
        .moves a{white-space:nowrap;margin-right:4px}
        main form+p{margin-top:8px}
        .tabs span.off{border-color:var(--hair);color:var(--quiet);cursor:default}
        .tabs a:hover,button:hover{border-color:var(--accent);color:var(--accent)}
        .tabs a[aria-current]:hover{color:var(--paper)}
        .act,.notice button{padding:3px 11px;text-decoration:none;background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
        form.line{display:flex;flex-wrap:wrap;gap:8px;align-items:end;margin:0 0 16px}
        .typed{display:flex;flex-wrap:wrap;gap:8px;align-items:end;margin:0 0 8px}
        .problem{margin:0;font-weight:600}
        label{display:block;font-size:13px;line-height:16px;color:var(--quiet)}
        select,input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--strong);\
        padding:3px 8px;height:32px;max-width:100%}
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
        details{font-size:13px;line-height:16px}
        summary{color:var(--quiet);cursor:pointer;padding:4px 0}
        code,.command{font:13px/16px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",\
        monospace;overflow-wrap:anywhere}
        .command{display:inline-block;border:1px solid var(--hair);padding:7px 8px}
        dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 16px;margin:0 0 8px}
        dt{color:var(--quiet)}
        dd{margin:0}
        .finding{border-top:1px solid var(--hair);padding:16px 0 8px}
        .finding:first-of-type{border-top:0;padding-top:0}
        .finding>:last-child,.card>:last-child{margin-bottom:0}
        .what{font-size:19px;line-height:24px;font-weight:600}

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
        .goal{stroke:var(--ink);stroke-width:1;stroke-dasharray:4 4}
        .usual{fill:var(--usual)}
        .usual-key{fill:var(--usual);stroke:var(--aside-line)}
        .bars{fill:var(--data)}
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
        .noted{fill:none;stroke:var(--ink);stroke-width:1.5}
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
        .ring{stroke:var(--data)}
        .ring-words{list-style:none;margin:0;padding:0}
        .ring-words span{display:inline-block;width:72px;color:var(--quiet)}
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
        @media (max-width:640px){main{padding:16px 8px 48px}\
        nav ul{padding:0}h1,.answer,.parts,.fresh{margin-left:8px;margin-right:8px}\
        .card{padding:16px 8px}.parts{font-size:15px}\
        .cards{grid-template-columns:minmax(0,1fr)}.wide{grid-column:auto}\
        .answer{font-size:19px;line-height:24px}.hero{font-size:44px}nav a{padding:8px 8px 5px;\
        margin-right:0}.compare{min-height:0}th,td{padding-right:8px}\
        tbody th{min-width:6em}}
        @media (prefers-reduced-motion:no-preference){.changed{animation:changed 1s}\
        @keyframes changed{from{background:var(--usual)}}}
        @media print{:root{--paper:#fff;--card:#fff;--ink:#000;--quiet:#333}nav,form,.tabs,.readout,\
        .skip,summary{display:none}.card{break-inside:avoid}main{padding:0}}

        """
}
