import HealthEngine
import SwiftSyntax

/// Reports types that an authorization request names and nothing else in the target uses.
struct TypesNeverUsed: Rule {
    let name = "types-never-used"
    let summary = "types that people are asked for and that the code never reads or saves"
    let severity = Severity.note

    func review(_ target: Target, _ report: inout Report) {
        let requests = target.authorization.calls
        guard requests.count == 1, let (call, file) = requests.first, usesAreKnown(target) else {
            return
        }
        reviewRead(call, target, file, &report)
        reviewShared(call, target, file, &report)
    }

    // MARK: - Reading

    private func reviewRead(
        _ call: FunctionCallExprSyntax, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        guard let argument = call.readArgument, !isUsedElsewhere(argument, call, target),
            let elements = target.setElements(of: argument)
        else { return }
        var unused: [(name: String, node: ExprSyntax)] = []
        for element in elements {
            let types = target.sampleTypes(of: element)
            guard types.areKnown, types.known.count == 1, let type = types.known.first,
                !isUsed(type, element, in: elements + sharedElements(call, target), target)
            else { continue }
            unused.append((type.name, element))
        }
        // Where most types look unused, the uses are out of sight.
        guard let first = unused.first, unused.count * 2 <= elements.count,
            let place = target.file(of: first.node)
        else { return }
        report.add(
            "people are asked for \(Self.list(unused.map(\.name))), which nothing reads: each further "
                + "type is a reason to refuse, and App Review rejects it",
            at: first.node, in: place)
    }

    private static func list(_ names: [String]) -> String {
        names.count < 4
            ? names.joined(separator: ", ")
            : names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
    }

    private func sharedElements(
        _ call: FunctionCallExprSyntax, _ target: Target
    ) -> [ExprSyntax] {
        call.shareArgument.flatMap { target.setElements(of: $0) } ?? []
    }

    /// Returns whether the set of types is also used for something else: a loop, a delivery list.
    private func isUsedElsewhere(
        _ argument: ExprSyntax, _ call: FunctionCallExprSyntax, _ target: Target
    ) -> Bool {
        guard let name = argument.bare.lastName else { return false }
        let uses = target.files.filter { $0.uses.names.contains(name) }
            .reduce(0) { $0 + Syntax($1.tree).uses(of: name) }
        return uses > 1
    }

    private func isUsed(
        _ type: SampleType, _ element: ExprSyntax, in requested: [ExprSyntax], _ target: Target
    ) -> Bool {
        if Self.implied(by: target).contains(type.name) { return true }
        if let words = Self.classes[type.name],
            target.files.contains(where: { file in words.contains { file.uses.names.contains($0) } }
            )
        {
            return true
        }
        let origins = requested.flatMap { target.origins(of: $0) }
        if let name = element.bare.lastName, !element.bare.is(FunctionCallExprSyntax.self) {
            let uses = target.files.filter { $0.uses.names.contains(name) }
                .reduce(0) { $0 + Syntax($1.tree).uses(of: name) }
            let own = requested.filter { $0.bare.lastName == name }.count
            if uses > own { return true }
        }
        let names = [type.name, type.name + "Type", type.name + "SampleType"]
        return target.files.contains { file in
            !file.uses.names.isDisjoint(with: names)
                && file.uses.memberAccesses.contains { member in
                    names.contains(member.declName.baseName.text)
                        && !requested.contains { member.isInside($0) }
                        && !origins.contains { member.isInside($0) }
                }
        }
    }

    /// The names that show the use of a type other than its identifier.
    private static let classes = [
        "workout": ["HKWorkout", "HKWorkoutBuilder", "predicateForWorkouts", "HKWorkoutSession"],
        "workoutRoute": ["HKWorkoutRoute", "HKWorkoutRouteQuery", "HKWorkoutRouteBuilder"],
        "electrocardiogram": ["HKElectrocardiogram", "HKElectrocardiogramQuery"],
        "heartbeatSeries": ["HKHeartbeatSeriesSample", "HKHeartbeatSeriesQuery"],
        "audiogram": ["HKAudiogramSample"], "stateOfMind": ["HKStateOfMind"],
        "activitySummary": ["HKActivitySummary", "HKActivitySummaryQuery"],
        "visionPrescription": ["HKVisionPrescription"],
        "sleepAnalysis": ["HKCategoryValueSleepAnalysis"],
        "bloodPressureSystolic": ["bloodPressure"], "bloodPressureDiastolic": ["bloodPressure"],
    ]

    /// The types that rings and a workout's totals are made of.
    private static func implied(by target: Target) -> Set<String> {
        let marks = [
            "HKActivitySummary", "HKActivitySummaryQuery", "totalEnergyBurned",
            "totalDistance", "HKActivityRingView",
        ]
        guard
            target.files.contains(where: { file in marks.contains { file.uses.names.contains($0) } }
            )
        else { return [] }
        return [
            "activeEnergyBurned", "basalEnergyBurned", "appleExerciseTime", "appleStandTime",
            "appleStandHour", "appleMoveTime", "distanceWalkingRunning", "distanceCycling",
            "distanceSwimming", "swimmingStrokeCount", "flightsClimbed",
        ]
    }

    // MARK: - Sharing

    private func reviewShared(
        _ call: FunctionCallExprSyntax, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        guard let argument = call.shareArgument, target.requestedTypes(argument) == .something,
            !target.files.contains(where: { !$0.uses.names.isDisjoint(with: Self.saving) })
        else { return }
        report.add(
            "people are asked to let the app write, which it never does: pass an empty set",
            at: argument, in: file)
    }

    private static let saving: Set<String> = [
        "save", "HKQuantitySample", "HKCategorySample", "HKCorrelation", "HKWorkoutBuilder",
        "HKLiveWorkoutBuilder", "HKWorkoutSession", "associatedWorkoutBuilder", "deleteObjects",
        "HKWorkoutRouteBuilder", "addSamples", "HKHeartbeatSeriesBuilder", "HKStateOfMind",
        "HKQuantitySeriesSampleBuilder", "saveObjects", "HKAudiogramSample",
    ]

    // MARK: - Uses

    /// Returns whether each query's types are known, there is one, and nothing makes types of
    /// texts.
    private func usesAreKnown(_ target: Target) -> Bool {
        let unknowable: Set<String> = [
            "HKLiveWorkoutDataSource", "HKWorkoutSession", "rawValue", "allCases",
            "HKQuantitySeriesSampleQuery",
        ]
        var hasQuery = false
        for file in target.files {
            let queries = file.queries
            if !queries.isEmpty || file.uses.names.contains("HKObjectType") {
                guard file.uses.names.isDisjoint(with: unknowable.subtracting(["rawValue"])),
                    !file.makesTypesOfTexts
                else { return false }
            }
            for query in queries where query.kind != .activitySummary {
                hasQuery = true
                guard isKnown(query, target) else { return false }
            }
        }
        return hasQuery
    }

    /// Returns whether a query's types are known, also through the calls of its function.
    private func isKnown(_ query: HealthQuery, _ target: Target) -> Bool {
        switch query.kind {
        case .workoutRoute, .heartbeatSeries, .electrocardiogram, .activitySummary: return true
        default: break
        }
        let parts = target.parts(of: query)
        guard !parts.isEmpty else { return false }
        return parts.allSatisfy { part in
            part.types.areKnown || target.types(of: part, []).areKnown
        }
    }
}

extension SourceFile {
    /// Whether identifiers are made from texts: `HKQuantityTypeIdentifier(rawValue: name)`.
    fileprivate var makesTypesOfTexts: Bool {
        ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"].contains { name in
            uses.callsByName[name]?.isEmpty == false
        }
    }
}

extension Syntax {
    /// Returns how often a name is used as a value, other than as `.name`.
    fileprivate func uses(of name: String) -> Int {
        descendants.reduce(0) { count, node in
            guard let use = node.as(DeclReferenceExprSyntax.self), use.baseName.text == name else {
                return count
            }
            let isImplicit =
                use.parent?.as(MemberAccessExprSyntax.self)
                .map { $0.base == nil } ?? false
            return isImplicit ? count : count + 1
        }
    }
}
