import Foundation
import HealthEngine

/// One comparison of a predicate, and the type and app for which it is converted to a
/// ``SampleFilter``.
struct ComparisonTranslation {
    let test: PredicateComparison
    let translation: PredicateTranslation

    /// The kind of values that an attribute is compared with.
    enum Kind {
        case date, number, text, uuid
        case quantity(unit: String?)
        /// A metadata value of any kind. A quantity must be compatible with `unit`, unless that is
        /// nil.
        case any(unit: String?)

        var name: String {
            switch self {
            case .date: "a Date"
            case .number: "a number"
            case .text: "a String"
            case .uuid: "a UUID"
            case .quantity: "an HKQuantity"
            case .any: "a String, number, Date or HKQuantity"
            }
        }
    }

    /// Converts a comparison of an attribute whose values are dates, numbers, text, UUIDs or
    /// quantities.
    ///
    /// - Throws: `errorInvalidArgument` for an operator, option, constant or unit that does not
    ///   suit the attribute.
    func valueFilter(
        _ attribute: SampleFilter.Attribute, of kind: Kind
    ) throws(HKError) -> SampleFilter {
        if let order = test.comparison.order { return try ordered(attribute, order, kind) }
        switch test.comparison {
        case .oneOf:
            return try membership(attribute, kind)
        case .between:
            guard case .list(let limits) = test.constant, limits.count == 2 else {
                throw error("BETWEEN needs a list of two values")
            }
            let range = (try value(limits[0], kind), try value(limits[1], kind))
            return .test(attribute, .between(range.0, range.1))
        case .contains where attribute.hasManyValues:
            return .test(attribute, .compare(.equal, try value(test.constant, kind)))
        default:
            return try textual(attribute, kind)
        }
    }

    private func ordered(
        _ attribute: SampleFilter.Attribute, _ order: SampleFilter.Comparison, _ kind: Kind
    ) throws(HKError) -> SampleFilter {
        let value = try value(test.constant, kind)
        guard test.caseSensitivity == .ignored, case .string(let text) = value else {
            return .test(attribute, .compare(order, value))
        }
        let equal = SampleFilter.test(attribute, .text(.equals, text, .ignored))
        switch order {
        case .equal: return equal
        case .notEqual: return .not(equal)
        default: throw error("[c] is allowed only with ==, !=, IN and text operators")
        }
    }

    private func membership(
        _ attribute: SampleFilter.Attribute, _ kind: Kind
    ) throws(HKError) -> SampleFilter {
        guard case .list(let constants) = test.constant else {
            throw error("IN needs a list")
        }
        var values: [SampleFilter.Value] = []
        for constant in constants { values.append(try value(constant, kind)) }
        guard test.caseSensitivity == .ignored else { return .test(attribute, .oneOf(values)) }
        return .or(
            values.map { value in
                guard case .string(let text) = value else {
                    return .test(attribute, .oneOf([value]))
                }
                return .test(attribute, .text(.equals, text, .ignored))
            })
    }

    private func textual(
        _ attribute: SampleFilter.Attribute, _ kind: Kind
    ) throws(HKError) -> SampleFilter {
        guard let textTest = test.comparison.textTest else {
            throw error(
                "does not support the operator \(test.comparison.symbol) in a health store")
        }
        switch kind {
        case .text, .any: break
        case .date, .number, .uuid, .quantity:
            throw error("is \(kind.name), not text for \(test.comparison.symbol)")
        }
        guard case .string(let text) = test.constant else {
            throw error("\(test.comparison.symbol) takes a String")
        }
        return .test(attribute, .text(textTest, text, test.caseSensitivity))
    }

    private func value(
        _ constant: PredicateConstant, _ kind: Kind
    ) throws(HKError) -> SampleFilter.Value {
        switch (constant, kind) {
        case (.null, _): return .null
        case (.variable(let name), _): throw error("needs a value for the variable $\(name)")
        case (.date(let date), .date), (.date(let date), .any):
            return .date(date.timeIntervalSinceReferenceDate)
        case (.number(let number), .number), (.number(let number), .any): return .number(number)
        case (.string(let text), .text), (.string(let text), .any): return .string(text)
        case (.uuid(let uuid), .uuid): return .uuid(SampleUUID(uuid))
        case (.quantity(let quantity), .quantity(let unit)),
            (.quantity(let quantity), .any(let unit)):
            return try PredicateTranslation.value(quantity, in: unit, for: test.keyPath)
        default: throw error("is compared with \(kind.name), not with \(constant.kind)")
        }
    }

    func error(_ reason: String) -> HKError { translation.error(test.keyPath, reason) }
}

extension ComparisonTranslation {
    /// Converts a comparison of an attribute whose values are objects: a source, revision, device,
    /// workout, correlation or day. The operators are `==`, `!=` and `IN`, and for days also `<`,
    /// `<=`, `>` and `>=`.
    ///
    /// - Throws: `errorInvalidArgument` for another operator or an unsuitable constant.
    func objectFilter(_ key: PredicateKey) throws(HKError) -> SampleFilter {
        switch (test.comparison, test.constant) {
        case (.equal, let constant): return try filter(constant, as: key)
        case (.notEqual, let constant): return .not(try filter(constant, as: key))
        case (.oneOf, .list(let constants)):
            var filters: [SampleFilter] = []
            for constant in constants { filters.append(try filter(constant, as: key)) }
            return .or(filters)
        default:
            if key == .day, let order = test.comparison.order {
                return .test(.day, .compare(order, try day()))
            }
            throw error(
                "does not support the operator \(test.comparison.symbol) in a health store")
        }
    }

    private func filter(
        _ constant: PredicateConstant, as key: PredicateKey
    ) throws(HKError) -> SampleFilter {
        switch (key, constant) {
        case (.source, .source(let source)): return .test(.source, equal(identifier(of: source)))
        case (.source, .null): return .test(.source, .compare(.equal, .null))
        case (.revision, .revision(let revision)): return filter(revision)
        case (.device, .device(let device)): return filter(device.value)
        case (.device, .null): return filter(Device())
        case (.workout, .object(let uuid)), (.correlation, .object(let uuid)):
            return .memberOf(SampleUUID(uuid))
        case (.correlation, .null): return .hasNoCorrelation
        case (_, .variable(let name)): throw error("needs a value for the variable $\(name)")
        case (.day, .day(let components)):
            return .test(.day, .compare(.equal, try day(components)))
        default: throw error("can't be compared with \(constant.kind)")
        }
    }

    private func equal(_ text: String?) -> SampleFilter.Relation {
        .compare(.equal, text.map { .string($0) } ?? .null)
    }

    private func identifier(of source: HKSource) -> String {
        source.isDefault
            ? translation.thisApp ?? HKSource.default().bundleIdentifier : source.bundleIdentifier
    }

    private func filter(_ revision: HKSourceRevision) -> SampleFilter {
        let source = SampleFilter.test(.source, equal(identifier(of: revision.source)))
        // If the app is known, the revision of unsaved objects stands for this app with any
        // version, product type and operating system.
        if revision === HKObject.unsavedRevision, translation.thisApp != nil { return source }
        var parts = [source]
        if revision.version != HKSourceRevisionAnyVersion {
            parts.append(.test(.sourceVersion, equal(revision.version)))
        }
        if revision.productType != HKSourceRevisionAnyProductType {
            parts.append(.test(.productType, equal(revision.productType)))
        }
        let system = revision.operatingSystemVersion
        if system.text != HKSourceRevisionAnyOperatingSystem.text {
            parts.append(
                .test(.operatingSystem, .compare(.equal, .version(SystemVersion(system)))))
        }
        return .and(parts)
    }

    private func filter(_ device: Device) -> SampleFilter {
        .and(
            SampleFilter.DeviceProperty.allCases.map {
                .test(.device($0), equal(device[$0]))
            })
    }

    private func day() throws(HKError) -> SampleFilter.Value {
        guard case .day(let components) = test.constant else {
            throw error("is compared with DateComponents")
        }
        return try day(components)
    }

    /// Returns the day in its stored form, such as "2024-03-10": the date that the components give
    /// in their calendar, as a day of the Gregorian calendar.
    private func day(_ components: DateComponents) throws(HKError) -> SampleFilter.Value {
        guard let calendar = components.calendar else {
            throw error("needs DateComponents with a calendar")
        }
        guard let date = calendar.date(from: components) else {
            throw error("needs DateComponents of a day in their calendar")
        }
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = components.timeZone ?? calendar.timeZone
        let day = gregorian.dateComponents([.era, .year, .month, .day], from: date)
        guard day.era == 1, let year = day.year, let month = day.month, let number = day.day
        else { throw error("needs a day of the common era") }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return .string("\(padded(year, 4))-\(padded(month, 2))-\(padded(number, 2))")
    }
}

extension PredicateConstant {
    /// The kind of the constant for messages, without its value, which can be health data.
    var kind: String {
        switch self {
        case .null: "nil"
        case .number: "a number"
        case .string: "a String"
        case .date: "a Date"
        case .uuid: "a UUID"
        case .quantity: "an HKQuantity"
        case .source: "an HKSource"
        case .revision: "an HKSourceRevision"
        case .device: "an HKDevice"
        case .object: "an HKObject"
        case .day: "DateComponents"
        case .list: "a list"
        case .variable(let name): "the variable $\(name)"
        case .unsupported(let type): "a \(type)"
        }
    }
}

extension SampleFilter.Attribute {
    fileprivate var hasManyValues: Bool {
        self == .stateOfMindLabel || self == .stateOfMindAssociation
    }
}

extension SystemVersion {
    init(_ version: OperatingSystemVersion) {
        self.init(
            major: version.majorVersion, minor: version.minorVersion, patch: version.patchVersion)
    }
}
