extension SampleFilter.Relation {
    /// Returns whether a value satisfies the relation.
    ///
    /// `null` satisfies only `== nil` and `!=` with a constant other than `null`. Values of
    /// different kinds are unequal and have no order.
    ///
    /// - Parameter value: The value of a sample's attribute.
    /// - Returns: Whether the relation is true.
    /// - Complexity: O(constants); for `contains` and `like`, O(text · constant).
    package func holds(for value: SampleFilter.Value) -> Bool {
        switch self {
        case .compare(let comparison, .null):
            return comparison == .equal && value == .null
                || comparison == .notEqual && value != .null
        case .compare(let comparison, let constant):
            return comparison.holds(value.order(relativeTo: constant))
        case .between(let lowest, let highest):
            return SampleFilter.Comparison.atLeast.holds(value.order(relativeTo: lowest))
                && SampleFilter.Comparison.atMost.holds(value.order(relativeTo: highest))
        case .oneOf(let constants):
            return constants.contains { value.order(relativeTo: $0) == .same }
        case .text(let test, let constant, let letterCase):
            guard case .string(let text) = value else { return false }
            return test.holds(text, constant, letterCase)
        }
    }

    /// Returns whether one of several numbers satisfies the relation. For `!=`, returns whether no
    /// number is equal to the constant. No numbers are treated like `null`.
    func holds(forAnyOf numbers: [Int]?) -> Bool {
        guard let numbers, !numbers.isEmpty else { return holds(for: .null) }
        if case .compare(.notEqual, _) = self {
            return numbers.allSatisfy { holds(for: .init($0)) }
        }
        return numbers.contains { holds(for: .init($0)) }
    }
}

extension SampleFilter.Comparison {
    func holds(_ order: SampleFilter.Value.Order?) -> Bool {
        switch self {
        case .equal: order == .same
        case .notEqual: order != .same
        case .less: order == .before
        case .atMost: order == .before || order == .same
        case .greater: order == .after
        case .atLeast: order == .after || order == .same
        }
    }
}

extension SampleFilter.Value {
    /// The position of a value relative to another one.
    enum Order { case before, same, after }

    /// Returns the order of two values, or nil if they cannot be compared: values of different
    /// kinds, quantities of incompatible units, NaN and null. A quantity is converted to the
    /// other's unit.
    func order(relativeTo other: SampleFilter.Value) -> Order? {
        switch (self, other) {
        case (.number(let a), .number(let b)), (.date(let a), .date(let b)): Self.order(a, b)
        case (.string(let a), .string(let b)): Self.order(a, b)
        case (.uuid(let a), .uuid(let b)): Self.order(a, b)
        case (.version(let a), .version(let b)): Self.order(a, b)
        case (.quantity(let a, let unit), .quantity(let b, let target)):
            Self.convert(a, from: unit, to: target).flatMap { Self.order($0, b) }
        default: nil
        }
    }

    static func order<Element: Comparable>(_ a: Element, _ b: Element) -> Order? {
        a == b ? .same : a < b ? .before : a > b ? .after : nil
    }

    /// Converts a value to another unit. Returns nil if a unit is invalid or there is no
    /// conversion. For equal strings the result is bit-identical, and the unit is not validated.
    package static func convert(_ value: Double, from unit: String, to target: String) -> Double? {
        if unit == target { return value }
        guard let from = try? HealthUnit(unit), let to = try? HealthUnit(target),
            let conversion = try? from.conversion(to: to)
        else { return nil }
        return conversion(value)
    }

    /// Creates a value from the value of a metadata entry, without conversion.
    ///
    /// - Parameter value: The metadata value.
    package init(_ value: MetadataValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .number(let number): .number(number)
            case .date(let seconds): .date(seconds)
            case .quantity(let number, let unit): .quantity(number, unit: unit)
            }
    }

    init(_ text: String?) { self = text.map { .string($0) } ?? .null }
    init(_ number: Double?) { self = number.map { .number($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .number(Double($0)) } ?? .null }
    init(date seconds: Double) { self = seconds.isNaN ? .null : .date(seconds) }
}

extension SampleFilter.TextTest {
    func holds(_ text: String, _ constant: String, _ letterCase: SampleFilter.CaseSensitivity)
        -> Bool
    {
        if letterCase == .ignored {
            return holds(text.lowercased(), constant.lowercased(), .significant)
        }
        switch self {
        case .equals: return text == constant
        case .beginsWith: return text.hasPrefix(constant)
        case .endsWith: return text.hasSuffix(constant)
        case .contains: return Self.contains(Array(text), Array(constant))
        case .like: return Self.like(Array(text), Self.pattern(constant))
        }
    }

    private static func contains(_ text: [Character], _ part: [Character]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start..<start + part.count].elementsEqual(part)
        }
    }

    private enum Wildcard { case character(Character), one, many }

    private static func pattern(_ constant: String) -> [Wildcard] {
        var pattern: [Wildcard] = []
        var escaped = false
        for character in constant {
            switch character {
            case _ where escaped:
                pattern.append(.character(character))
                escaped = false
            case "\\": escaped = true
            case "?": pattern.append(.one)
            case "*": pattern.append(.many)
            default: pattern.append(.character(character))
            }
        }
        if escaped { pattern.append(.character("\\")) }
        return pattern
    }

    /// Returns whether a text matches a pattern. Backtracks only to the last `*`, so the time is at
    /// most O(text · pattern).
    private static func like(_ text: [Character], _ pattern: [Wildcard]) -> Bool {
        var (textIndex, patternIndex) = (0, 0)
        var lastMany: (textIndex: Int, patternIndex: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, case .many = pattern[patternIndex] {
                patternIndex += 1
                lastMany = (textIndex, patternIndex)
            } else if patternIndex < pattern.count, matches(text[textIndex], pattern[patternIndex])
            {
                textIndex += 1
                patternIndex += 1
            } else if let many = lastMany {
                textIndex = many.textIndex + 1
                patternIndex = many.patternIndex
                lastMany = (textIndex, patternIndex)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { if case .many = $0 { true } else { false } }
    }

    private static func matches(_ character: Character, _ wildcard: Wildcard) -> Bool {
        switch wildcard {
        case .character(let expected): character == expected
        case .one, .many: true
        }
    }
}
