/// The parsed address of a request: path, query and format.
struct RequestTarget: Equatable {
    /// The decoded path, without ".json" and without a trailing slash: "/", "/trends".
    var path: String
    var query: [PageQuery.Field]
    var isJSON: Bool

    private static let suffix = ".json"

    /// Parses the path and query of an HTTP request.
    ///
    /// - Parameter text: The address, such as "/trends.json?metric=stepCount".
    /// - Returns: nil if it doesn't begin with "/", for invalid percent-encoding or invalid UTF-8,
    ///   and for control characters in the path.
    init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard var path = FormText.decoded(parts[0].utf8, plus: .plus),
            !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
            let query = FormText.fields(parts.count > 1 ? parts[1] : "")
        else { return nil }
        isJSON = path.hasSuffix(RequestTarget.suffix)
        if isJSON { path.removeLast(RequestTarget.suffix.count) }
        if path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        self.query = query
    }

    /// Returns the address without the query fields of a name. The path stays decoded; names and
    /// values of the query are encoded.
    func address(without name: String) -> String {
        let rest = query.filter { $0.name != name }
            .map { FormText.encoded($0.name) + "=" + FormText.encoded($0.value) }
        return path + (isJSON ? RequestTarget.suffix : "")
            + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
    }
}

/// Encodes and decodes the fields of forms and queries: "type=stepCount&name=a+b".
enum FormText {
    /// The meaning of "+": itself in a path, a space in a field.
    enum PlusMeaning { case plus, space }

    /// Returns the decoded fields in order; nil for invalid percent-encoding or invalid UTF-8. A
    /// field without "=" has an empty value.
    static func fields(_ text: some StringProtocol) -> [PageQuery.Field]? {
        var fields: [PageQuery.Field] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0], plus: .space),
                let value = sides.count > 1 ? decoded(sides[1], plus: .space) : ""
            else { return nil }
            fields.append(.init(name, value))
        }
        return fields
    }

    static func decoded(_ bytes: some Sequence<UInt8>, plus: PlusMeaning) -> String? {
        var result: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit)
                else { return nil }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plus == .space: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
                result.unicodeScalars.append(scalar)
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                result += hex.count == 1 ? "%0" + hex : "%" + hex
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
