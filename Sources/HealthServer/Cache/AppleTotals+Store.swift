package import Foundation
package import HealthDashboard
package import HealthEngine
package import HealthStorage

extension AppleTotals {
    /// Reads the totals of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - visibility: What the reader may see. With a limit there are no totals.
    ///   - now: Returns the current time, which is the horizon of the merge.
    package init(
        of store: SampleStore, visibility: Visibility = .everything,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        let queue = BlockingWork("totals", .serial)
        self.init(
            extent: { metric in
                guard visibility == .everything,
                    let type = Catalogue.type(identifier: metric.identifier)
                else { return nil }
                return try await queue.run {
                    try store.receivedTotalsExtent(of: type).map { extent in
                        DateInterval(
                            start: Date(timeIntervalSinceReferenceDate: extent.start),
                            end: Date(
                                timeIntervalSinceReferenceDate: max(extent.start, extent.end)))
                    }
                }
            },
            inPlace: { metric, boundaries in
                guard let type = Catalogue.type(identifier: metric.identifier) else { return [:] }
                let edges = boundaries.map(\.timeIntervalSinceReferenceDate)
                var rules = StatisticsRules()
                rules.horizon = now().timeIntervalSinceReferenceDate
                return try await queue.run { [rules] in
                    let query = SampleQuery(
                        type, from: edges.first ?? 0, to: edges.last ?? 0, visibility: visibility)
                    let found = try store.totalsInPlace(query, over: edges, rules: rules)
                    return Dictionary(
                        try found.map { total in
                            (
                                Date(timeIntervalSinceReferenceDate: total.total.start),
                                try AppleTotal(total, of: type, in: metric.unit)
                            )
                        }, uniquingKeysWith: { $1 })
                }
            })
    }
}

extension AppleTotal {
    /// Creates the total in a unit; nil for the type's own unit.
    ///
    /// - Throws: `HealthUnitError` if the unit doesn't fit the type.
    package init(_ total: TotalInPlace, of type: SampleType, in unit: String?) throws {
        self.init(
            value: total.total.value, own: total.own,
            device: PrintableText.name(total.total.device),
            isProvisional: total.total.isProvisional)
        guard let unit, let own = type.displayUnit ?? type.canonicalUnit, unit != own else {
            return
        }
        let conversion = try HealthUnit(own).conversion(to: HealthUnit(unit))
        value = NumberText.roundedConversion(conversion(value))
        self.own = NumberText.roundedConversion(conversion(self.own))
    }
}
