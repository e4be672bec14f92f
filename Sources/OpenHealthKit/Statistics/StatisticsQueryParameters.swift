import Foundation
import HealthEngine
import HealthStorage

/// A resolved statistics query: a quantity type, a filter and options that suit the type.
struct StatisticsQueryParameters: Sendable {
    let type: HKQuantityType
    let options: HKStatisticsOptions
    let request: SampleRequest
    let visibility: Visibility
    let rules: StatisticsRules

    /// Resolves the arguments of a query. Clears the pending finding about overlapping samples of
    /// the type, because the app now reads its statistics.
    ///
    /// - Throws: ``HKError`` for options that do not suit the type, an unsupported predicate, a
    ///   type that was never requested, or while the device is locked. A strict store ends the
    ///   process for unsuitable options instead.
    init(
        _ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions,
        in execution: QueryExecution
    ) throws {
        if let unsuitable = options.unsuitableOption(for: type) {
            execution.connection.diagnostics.record(
                .unsuitableStatistics(type: type.identifier, option: unsuitable.name))
            throw execution.connection.misuseError(unsuitable.error(for: type))
        }
        self.type = type
        self.options = options
        request = try execution.request(type, predicate)
        visibility = try execution.visibility(of: [type])
        rules = StatisticsRules(options, of: type, execution.connection.options)
        execution.connection.diagnostics.clearPending(
            PendingFinding(
                cause: .overlappingSamples, app: execution.identity.bundleIdentifier,
                type: type.identifier))
    }

    /// Returns the sources of a result as HealthKit objects, in the same order.
    func sources(_ result: StatisticsResult) -> [HKSource] { result.sources.map { HKSource($0) } }
}

extension StatisticsRules {
    fileprivate init(
        _ options: HKStatisticsOptions, of type: HKQuantityType,
        _ configuration: HealthStoreConfiguration
    ) {
        self.init()
        separation = options.contains(.separateBySource) ? .bySource : .mergedOnly
        discreteMerge =
            configuration.discreteMerge == .bySourceOrder ? .bySourceOrder : .allSources
        let identifier = HKQuantityTypeIdentifier(rawValue: type.identifier)
        gapTolerance = configuration.gapTolerance[identifier] ?? 0
    }
}

/// A statistics option with the one aggregation style, cumulative or discrete, that it suits.
struct AggregationOption: Sendable {
    enum Style: Sendable { case cumulative, discrete }
    let option: HKStatisticsOptions
    let style: Style
    let name: String

    static let all = [
        AggregationOption(
            option: .cumulativeSum, style: .cumulative, name: "HKStatisticsOptionCumulativeSum"),
        AggregationOption(
            option: .discreteAverage, style: .discrete, name: "HKStatisticsOptionDiscreteAverage"),
        AggregationOption(
            option: .discreteMin, style: .discrete, name: "HKStatisticsOptionDiscreteMin"),
        AggregationOption(
            option: .discreteMax, style: .discrete, name: "HKStatisticsOptionDiscreteMax"),
    ]
}

extension HKStatisticsOptions {
    /// Returns the first option that does not suit a type; nil if all do.
    func unsuitableOption(for type: HKQuantityType) -> AggregationOption? {
        let style: AggregationOption.Style =
            type.aggregationStyle == .cumulative ? .cumulative : .discrete
        return AggregationOption.all.first { contains($0.option) && $0.style != style }
    }
}

extension AggregationOption {
    /// The error for an unsuitable option, worded like Apple's exception (Semantics §5.1–5.2).
    func error(for type: HKQuantityType) -> HKError {
        HKError(
            .errorInvalidArgument,
            "Statistics option \(name) is not compatible with "
                + "\(style == .cumulative ? "discrete" : "cumulative") data type "
                + type.identifier)
    }
}
