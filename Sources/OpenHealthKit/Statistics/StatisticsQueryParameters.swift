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

    /// - Throws: ``HKError`` for options that do not suit the type, an unsupported predicate, a
    ///   type that was never requested, or while the device is locked.
    init(
        _ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions,
        in execution: QueryExecution
    ) throws {
        if let wrong = options.unsuitable(for: type) {
            execution.connection.diagnostics.record(
                .unsuitableStatistics(type: type.identifier, option: wrong.name))
            throw execution.connection.misuseError(wrong.refusal(by: type))
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

    /// The sources of an result as HealthKit objects.
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
struct StyledOption: Sendable {
    enum Style: Sendable { case cumulative, discrete }
    let option: HKStatisticsOptions
    let style: Style
    let name: String

    static let all = [
        StyledOption(
            option: .cumulativeSum, style: .cumulative, name: "HKStatisticsOptionCumulativeSum"),
        StyledOption(
            option: .discreteAverage, style: .discrete, name: "HKStatisticsOptionDiscreteAverage"),
        StyledOption(option: .discreteMin, style: .discrete, name: "HKStatisticsOptionDiscreteMin"),
        StyledOption(option: .discreteMax, style: .discrete, name: "HKStatisticsOptionDiscreteMax"),
    ]
}

extension HKStatisticsOptions {
    /// Returns the first option that does not suit a type; nil if all do.
    func unsuitable(for type: HKQuantityType) -> StyledOption? {
        let style: StyledOption.Style =
            type.aggregationStyle == .cumulative ? .cumulative : .discrete
        return StyledOption.all.first { contains($0.option) && $0.style != style }
    }
}

extension StyledOption {
    /// The error for an unsuitable option, worded like Apple's exception (Semantics §5.1–5.2).
    func refusal(by type: HKQuantityType) -> HKError {
        HKError(
            .errorInvalidArgument,
            "Statistics option \(name) is not compatible with "
                + "\(style == .cumulative ? "discrete" : "cumulative") data type "
                + type.identifier)
    }
}
