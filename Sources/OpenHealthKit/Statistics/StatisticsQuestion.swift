import Foundation
import HealthEngine
import HealthStorage

/// What a statistics query asks: a quantity type, a predicate and options that suit the type.
struct StatisticsQuestion: Sendable {
    let type: HKQuantityType
    let options: HKStatisticsOptions
    let request: SampleRequest
    let visibility: Visibility
    let rules: StatisticsRules

    /// - Throws: ``HKError`` for options that the type doesn't have, a predicate that no store can
    ///   run, a type never asked for, or while the store is locked.
    init(
        _ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions,
        in execution: QueryExecution
    ) throws {
        if let wrong = options.unsuitable(for: type) {
            execution.connection.diagnostics.record(
                .unsuitableStatistics(type: type.identifier, option: wrong.name))
            throw execution.connection.misuse(wrong.refusal(by: type))
        }
        self.type = type
        self.options = options
        request = try execution.request(type, predicate)
        visibility = try execution.visibility(of: [type])
        rules = StatisticsRules(options, of: type, execution.connection.options)
        execution.connection.diagnostics.clear(
            Suspicion(
                matter: .rawSum, app: execution.identity.bundleIdentifier, type: type.identifier))
    }

    /// The engine's answer in Apple's objects.
    func sources(_ answer: StatisticsAnswer) -> [HKSource] { answer.sources.map { HKSource($0) } }
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

/// One option that suits only some types.
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
    /// The first option that a type doesn't have; nil if all suit it.
    func unsuitable(for type: HKQuantityType) -> StyledOption? {
        let style: StyledOption.Style =
            type.aggregationStyle == .cumulative ? .cumulative : .discrete
        return StyledOption.all.first { contains($0.option) && $0.style != style }
    }
}

extension StyledOption {
    /// The words of Apple's exception (Semantics §5.1–5.2).
    func refusal(by type: HKQuantityType) -> HKError {
        HKError(
            .errorInvalidArgument,
            "Statistics option \(name) is not compatible with "
                + "\(style == .cumulative ? "discrete" : "cumulative") data type "
                + type.identifier)
    }
}
