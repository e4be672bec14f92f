private struct EnumerationsFile: Decodable {
    struct Enumeration: Decodable {
        struct Value: Decodable {
            var name: String
            var rawValue: Int
            var aliasOf: String?
            /// The message of an error code. Nil if it isn't known, and in other enumerations.
            var text: String?
        }
        var enumeration: String
        /// "enumeration" or "options"; nil, which means an enumeration, in all files except
        /// `enumerations.json`.
        var kind: String?
        var rawType: String?
        var values: [Value]
    }
    var enumerations: [Enumeration]
}

private struct ConstantsFile: Decodable {
    struct Group: Decodable {
        struct Constant: Decodable {
            var name: String
            var string: String
            var introduced: String
        }
        var group: String
        var constants: [Constant]
    }
    var groups: [Group]
}

private struct MetadataFile: Decodable {
    struct Key: Decodable {
        var key: String
        var constant: String
        var kind: String
        var unit: String?
        var enumeration: String?
        var meaning: String
        var introduced: String
    }
    var keys: [Key]
}

extension Facts {
    /// Generates the enumerations and option sets of the given files, without `HKError.Code`, which
    /// ``errorCodes()`` generates.
    func enumerationTypes(from files: String...) throws -> String {
        var swift = SwiftText(files: files)
        var isFirst = true
        for enumeration in try files.flatMap({
            try read(EnumerationsFile.self, from: $0).enumerations
        }) where enumeration.enumeration != errorCode {
            if !isFirst { swift.line() }
            isFirst = false
            declare(enumeration, into: &swift)
        }
        return swift.text
    }

    /// Generates the enumerations of category values and, except for the deprecated
    /// `HKCategoryValueAudioExposureEvent`, their conformances for predicates.
    func categoryValueTypes() throws -> String {
        let file = "category-values.json"
        var text = try enumerationTypes(from: file)
        for enumeration in try read(EnumerationsFile.self, from: file).enumerations
        where enumeration.enumeration != "HKCategoryValueAudioExposureEvent" {
            text += "\nextension \(enumeration.enumeration): HKCategoryValuePredicateProviding {}\n"
        }
        return text
    }

    private var errorCode: String { "HKError.Code" }

    /// Generates `HKError.Code`, a constant for each code on `HKError`, and the known messages.
    func errorCodes() throws -> String {
        let file = "enumerations.json"
        var swift = SwiftText(from: file)
        guard
            let codes = try read(EnumerationsFile.self, from: file).enumerations
                .first(where: { $0.enumeration == errorCode })
        else { throw FactError(file: file, row: errorCode, problem: "missing") }
        swift.line("extension HKError {")
        swift.line("    /// What went wrong.")
        swift.line("    public enum Code: Int, Sendable, CaseIterable {")
        for code in codes.values where code.aliasOf == nil {
            swift.line("        case \(code.name) = \(code.rawValue)")
        }
        swift.line()
        for code in codes.values {
            guard let target = code.aliasOf else { continue }
            swift.line("        /// An older name of ``\(target)``.")
            swift.line("        public static let \(code.name) = Code.\(target)")
        }
        swift.line("    }\n")
        for code in codes.values {
            swift.line("    /// \(code.rawValue).")
            swift.line("    public static var \(code.name): Code { .\(code.aliasOf ?? code.name) }")
        }
        swift.line("}\n\nextension HKError.Code {")
        swift.line(
            "    /// The words that apps meet with this code; nil where none are well known.")
        swift.line("    var wellKnownText: String? {\n        switch self {")
        for code in codes.values {
            guard let text = code.text else { continue }
            swift.line("        case .\(code.name): \(text.literal)")
        }
        swift.line("        default: nil\n        }\n    }\n}")
        return swift.text
    }

    func metadataKeyConstants() throws -> String {
        let file = "metadata-keys.json"
        var swift = SwiftText(from: file)
        for key in try read(MetadataFile.self, from: file).keys {
            let value =
                switch key.kind {
                case "quantity": key.unit.map { "quantity like `\($0)`" } ?? "quantity"
                case "enumeration": "raw value of ``\(key.enumeration ?? "")``"
                default: key.kind
                }
            swift.line("/// Its \(value): \(key.meaning); \(key.introduced).")
            swift.assignment("public let \(key.constant)", key.key.literal)
        }
        return swift.text
    }

    func stringConstants() throws -> String {
        let file = "constants.json"
        var swift = SwiftText(from: file)
        for (index, group) in try read(ConstantsFile.self, from: file).groups.enumerated() {
            if index > 0 { swift.line() }
            for constant in group.constants {
                swift.line("/// \(constant.introduced).")
                swift.assignment("public let \(constant.name)", constant.string.literal)
            }
        }
        return swift.text
    }

    private func declare(_ enumeration: EnumerationsFile.Enumeration, into swift: inout SwiftText) {
        let parts = enumeration.enumeration.split(separator: ".").map(String.init)
        let name = parts.last ?? ""
        let margin = parts.count > 1 ? "    " : ""
        if parts.count > 1 { swift.line("extension \(parts[0]) {") }
        let values = enumeration.values
        let range = values.map { "\($0.rawValue)" }.joined(separator: ", ")
        let rawType = enumeration.rawType ?? rawTypeOfOthers(name)
        if enumeration.kind == "options" {
            swift.line("\(margin)/// Bits: \(range).")
            swift.line("\(margin)public struct \(name): OptionSet, Sendable {")
            swift.line("\(margin)    public let rawValue: \(rawType)\n")
            swift.line(
                "\(margin)    public init(rawValue: \(rawType)) { self.rawValue = rawValue }\n")
            for value in values {
                let page = value.aliasOf.map { "Now ``\($0)``." } ?? "Bit \(value.rawValue)."
                swift.line("\(margin)    /// \(page)")
                let member = "\(margin)    public static let \(value.name.escaped)"
                if value.rawValue == 0 {
                    swift.line("\(member): \(name) = []")
                } else {
                    swift.assignment(member, "\(name)(rawValue: \(value.rawValue))")
                }
            }
        } else {
            let numbers = values.count == 1 ? "Its only value" : "\(values.count) values"
            swift.line("\(margin)/// \(numbers), in HealthKit's numbering.")
            let listing = caseIterable.contains(name) ? ", CaseIterable" : ""
            swift.line("\(margin)public enum \(name): \(rawType), Sendable\(listing) {")
            for value in values where value.aliasOf == nil {
                swift.line("\(margin)    case \(value.name.escaped) = \(value.rawValue)")
            }
            for value in values {
                guard let target = value.aliasOf else { continue }
                swift.line("\n\(margin)    /// An older name of ``\(target)``.")
                swift.line("\(margin)    public static let \(value.name) = \(name).\(target)")
            }
        }
        swift.line("\(margin)}")
        if parts.count > 1 { swift.line("}") }
    }

    /// Returns the raw type of an enumeration whose file doesn't state one. It is the type with
    /// which Swift imports the enumeration from Apple's headers.
    private func rawTypeOfOthers(_ name: String) -> String {
        name == "HKWorkoutActivityType" ? "UInt" : "Int"
    }

    /// The enumerations that are `CaseIterable` in Apple's Swift overlay.
    private var caseIterable: Set<String> {
        [
            "HKAppleWalkingSteadinessClassification",
            "HKAppleSleepingBreathingDisturbancesClassification",
        ]
    }
}

extension String {
    /// The name, in backquotes if it is `default` or `in`, the Swift keywords among the names.
    var escaped: String { ["default", "in"].contains(self) ? "`\(self)`" : self }
}
