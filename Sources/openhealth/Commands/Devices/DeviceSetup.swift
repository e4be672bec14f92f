import Foundation
import HealthDashboard

/// What a person types into the apps of a phone, or scans.
struct DeviceSetup {
    let name: String
    let token: String
    /// URLs of the server without a path, the best one first.
    let addresses: [String]

    /// Returns the addresses to show.
    ///
    /// - Parameter given: The address that the person gave; nil for those of this computer.
    /// - Throws: ``UsageError`` for a text that isn't an HTTP address.
    static func addresses(_ given: String?) throws -> [String] {
        guard let given else {
            let loopback = "http://127.0.0.1:\(ReceivingOptions.defaultPort)"
            return NetworkAddresses.urls(of: loopback, listeningOn: "0.0.0.0") + [loopback]
        }
        guard let url = URL(string: given), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host(), !host.isEmpty,
            url.query() == nil, url.fragment() == nil
        else { throw UsageError("--address needs a URL such as https://health.example.org.") }
        return [given.hasSuffix("/") ? String(given.dropLast()) : given]
    }

    private var address: String { addresses.first ?? "" }

    /// The text for a terminal.
    func text(_ style: TerminalStyle) -> String {
        var text = """
            \(style.strong("Device")) \(name.printable)
            \(style.strong("Token")) \(token)

            The address for the phone: \(addresses.joined(separator: "\n  or "))
            Start the server behind a proxy with TLS: openhealth serve --receive
            or with a certificate of your own:
              openhealth serve --receive --listen 0.0.0.0 --certificate FILE --key FILE
            or, in a network that you trust, without TLS:
              openhealth serve --receive --listen 0.0.0.0 --insecure

            \(style.strong("Open Wearables SDK"))
              Host     \(address)
              API key  the token (header X-Open-Wearables-API-Key)
            \(style.strong("Open Health Exporter"))
              URL      \(address)/v1/intake/open-health-exporter
              Header   Authorization: Bearer TOKEN
            \(style.strong("HealthSave"))
              Server   \(address)
              API key  the token (header X-API-Key)
            \(style.strong("Health Auto Export")), four automations: open each link on the phone \
            or scan its code
              URL      \(address)/v1/intake/health-auto-export
              Header   X-API-Key: TOKEN

            """
        for automation in HealthAutoExportAutomation.allCases {
            let link = automation.link(address: address, token: token)
            text += "\n\(style.strong(automation.title))\n\(link)\n"
            if let code = QRCode(link), QRCodeText.width(code) <= DeviceSetup.terminalWidth {
                text += QRCodeText.terminal(code, style)
            } else {
                text += "(The terminal is too narrow for the QR code.)\n"
            }
        }
        return text + "\nThen check with: openhealth devices test \(ShellWord.quoted(name))\n"
    }

    /// The columns of the terminal; 80 if they aren't known.
    private static var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// An automation of Health Auto Export, as a link that sets it up.
///
/// Sums arrive as hourly totals that Apple's framework merged, over seven days, so that a missed
/// run does no harm. The other types arrive as single points, intervals and workouts.
enum HealthAutoExportAutomation: CaseIterable {
    case hourlyTotals, points, sleep, workouts

    var title: String {
        switch self {
        case .hourlyTotals: "Hourly totals over the previous seven days"
        case .points: "Single measurements"
        case .sleep: "Sleep"
        case .workouts: "Workouts"
        }
    }

    /// The link, without "+" for spaces, which the app doesn't decode.
    func link(address: String, token: String) -> String {
        let url = address + "/v1/intake/health-auto-export"
        var fields: [(String, String)] = [
            ("name", Self.encoded("openhealth " + shortName)), ("url", Self.encoded(url)),
            ("headers", "X-API-Key," + Self.encoded(token)), ("format", "json"),
        ]
        fields +=
            details + [
                ("exportversion", "v2"), ("syncinterval", "hours"), ("syncquantity", "1"),
                ("batchrequests", "true"), ("requesttimeout", "300"), ("enabled", "true"),
            ]
        let query = fields.map { $0.0 + "=" + $0.1 }.joined(separator: "&")
        return "com.HealthExport://automation?" + query
    }

    private var shortName: String {
        switch self {
        case .hourlyTotals: "totals"
        case .points: "points"
        case .sleep: "sleep"
        case .workouts: "workouts"
        }
    }

    private var details: [(String, String)] {
        switch self {
        case .hourlyTotals:
            [
                ("datatype", "healthMetrics"), ("metrics", Self.list(Self.cumulative)),
                ("aggregatedata", "true"), ("interval", "hours"), ("period", "previous7days"),
            ]
        case .points:
            [
                ("datatype", "healthMetrics"), ("metrics", Self.list(Self.discrete)),
                ("aggregatedata", "false"), ("interval", "none"), ("period", "lastsync"),
            ]
        case .sleep:
            [
                ("datatype", "healthMetrics"), ("metrics", Self.list(["Sleep Analysis"])),
                ("aggregatedata", "false"), ("aggregatesleep", "false"),
                ("period", "previous7days"),
            ]
        case .workouts:
            [
                ("datatype", "workouts"), ("includeroutes", "true"),
                ("includeworkoutmetadata", "true"), ("workoutsmetadatainterval", "minutes"),
                ("period", "previous7days"),
            ]
        }
    }

    private static let cumulative = [
        "Step Count", "Walking + Running Distance", "Cycling Distance", "Swimming Distance",
        "Flights Climbed", "Active Energy", "Basal Energy Burned", "Apple Exercise Time",
        "Apple Stand Time",
    ]

    private static let discrete = [
        "Heart Rate", "Resting Heart Rate", "Heart Rate Variability", "Blood Oxygen Saturation",
        "Respiratory Rate", "Weight & Body Mass", "Body Fat Percentage", "Blood Pressure",
        "Blood Glucose", "Body Temperature", "VO2 Max",
    ]

    private static func list(_ names: [String]) -> String {
        names.map(encoded).joined(separator: ",")
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
