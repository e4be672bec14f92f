internal import HealthEngine
public import HealthStorage

/// A store on its way out as an Apple Health export, which imports into an empty store with the
/// same answers; what the format has no place for is counted.
///
/// ```swift
/// let export = StoreExport(store, madeAt: now, offset: 3600)
/// let tally = try export.write(ExportSelection(), to: "export.zip")
/// tally.losses[.ownUUIDs]   // 12
/// ```
/// Files beside the records (electrocardiograms, clinical records, attachments) and elements that
/// nothing reads yet go along with a whole store, not with a part of it; a part doesn't say whose it is or when it was
/// made, so that an import of it only adds. All is of one moment.
/// Memory is flat but for one batch and its members, or one file.
public struct StoreExport {
    private let store: SampleStore
    private let now: Double
    private let offset: Int

    /// - Parameters:
    ///   - now: The moment the file says it was made, in reference seconds.
    ///   - offset: Seconds east of UTC that its dates are printed with.
    public init(_ store: SampleStore, madeAt now: Double, offset: Int) {
        self.store = store
        self.now = now
        self.offset = offset
    }

    /// Writes the zip, over what is at the path.
    ///
    /// - Parameter pulse: Called with each batch; what it throws ends the work.
    /// - Throws: ``ArchiveError``, `StoreError`, and what `pulse` throws.
    /// - Complexity: O(samples of the selection).
    public func write(
        _ selection: ExportSelection, to path: String, pulse: () throws -> Void = {}
    ) throws -> StoreExportTally {
        try store.inOneLook { try write(selection, of: $0, to: path, pulse: pulse) }
    }

    private func write(
        _ selection: ExportSelection, of store: SampleStore, to path: String,
        pulse: () throws -> Void
    ) throws -> StoreExportTally {
        var types: [Int32: SampleType] = [:]
        for summary in try store.types() { types[summary.type.code] = summary.type }
        let known = types
        let header = ExportHeader(
            locale: try store.imports().first.flatMap(\.locale) ?? "en_US", exportDate: now,
            offset: offset, characteristics: try store.characteristics(),
            extent: selection.isEverything ? .everything : .part)
        var tally = StoreExportTally(try store.particulars(), homeZone: try store.homeZone)
        var archive = try ExportArchive(path: path, header: header, types: { known[$0] })
        try store.forEachExportedBatch(
            selection, members: .together, routes: .within
        ) { exported in
            try pulse()
            tally.count(exported.batch, types)
            try archive.write(exported.batch)
        }
        if selection.isEverything {
            try StoreExport.writeElements(of: store, to: &archive, &tally)
        }
        tally.add(try archive.finishRecords(), types)
        if selection.isEverything {
            try StoreExport.writeFiles(of: store, to: archive, &tally, pulse)
        }
        try archive.close()
        return tally
    }
}

/// What went into an Apple Health export of a store, and what has no place in one.
public struct StoreExportTally: Sendable {
    /// Samples by type identifier that the file holds; those left out are in ``losses``.
    public var samples: [String: Int] = [:]
    /// Electrocardiograms, clinical records and attachments.
    public var files = 0
    /// How much of what the file doesn't hold; only what there is of.
    public var losses: [ExportLoss: Int] = [:]
    /// Names that belong to some losses: of sources, types, elements, a zone.
    public var names: [ExportLoss: [String]] = [:]
}

extension StoreExportTally {
    init(_ particulars: StoreParticulars, homeZone: HomeZone?) {
        add(.ownUUIDs, particulars.ownUUIDs)
        add(.furtherMemberships, particulars.furtherMemberships)
        add(.ownBundleIdentifiers, named: particulars.ownBundleIdentifiers)
        add(.renamedSources, named: particulars.renamedSources)
        add(.sourceArrangements, named: particulars.arrangedTypes)
        add(.grants, named: particulars.grants)
        if let homeZone, homeZone.reason != .metadata {
            add(.homeZone, named: [homeZone.identifier])
        }
    }

    mutating func add(_ loss: ExportLoss, named list: [String]) {
        add(loss, list.count)
        if !list.isEmpty { names[loss, default: []] += list }
    }

    mutating func add(_ loss: ExportLoss, _ count: Int) {
        if count > 0 { losses[loss, default: 0] += count }
    }

    mutating func count(_ batch: SampleBatch, _ types: [Int32: SampleType]) {
        let changed = batch.metadata.map(StoreExportTally.changed(in:))
        for sample in batch.samples {
            if sample.metadata >= 0 { add(.metadataKinds, changed[Int(sample.metadata)]) }
            let identifier = types[sample.type]?.identifier ?? String(sample.type)
            samples[identifier, default: 0] += 1
            if [sample.start, sample.end, sample.created].contains(where: { $0.hasFraction }) {
                add(.fractionsOfSeconds, 1)
            }
            if sample.origin >= 0 {
                let origin = batch.origins[Int(sample.origin)]
                let isNamed = origin.productType != nil || origin.operatingSystemVersion != nil
                add(.systemVersions, isNamed ? 1 : 0)
            }
        }
        for detail in batch.details.values { count(detail) }
    }

    private mutating func count(_ detail: SampleDetail) {
        switch detail {
        case .workout(let workout):
            if workout.holdsMoreThanExports { add(.workoutDetails, 1) }
        case .series: add(.seriesQuantities, 1)
        case .numbers: add(.otherDetails, 1)
        case .activitySummary, .heartbeats, .route: break
        }
    }

    /// Entries of a set that read back as something else.
    private static func changed(in metadata: Metadata) -> Int {
        metadata.count { key, value in
            var number = ExportText(offset: 0)
            var written = ""
            switch value {
            case .string(let text): written = text
            case .number(let amount): number.number(amount)
            case .date(let time): number.date(time)
            case .quantity(let amount, let unit):
                number.number(amount)
                written = " " + unit
            }
            let text = String(decoding: number.bytes, as: UTF8.self) + written
            return MetadataText.value(text, forKey: key) != value
        }
    }

    mutating func add(_ tally: ExportTally, _ types: [Int32: SampleType]) {
        for (code, count) in tally.unwritable.merging(tally.unknownTypes, uniquingKeysWith: +) {
            add(.samplesWithoutForm, count)
            let identifier = types[code]?.identifier ?? String(code)
            names[.samplesWithoutForm, default: []].append(identifier)
            let held = (samples[identifier] ?? 0) - count
            samples[identifier] = held > 0 ? held : nil
        }
        names[.samplesWithoutForm]?.sort()
        add(.unwritableCharacters, tally.replacedCharacters)
        add(.missingRouteFiles, tally.routesWithoutPoints)
        add(.savedRoutes, tally.savedRoutes)
        add(.routePoints, tally.routePointsLeftOut)
        add(.renamedFiles, named: tally.renamedFiles)
    }
}

extension Double {
    fileprivate var hasFraction: Bool { isFinite && rounded(.down) != self }
}

extension Workout {
    /// Whether it has facts that no export says.
    fileprivate var holdsMoreThanExports: Bool {
        let all = statistics + activities.flatMap(\.statistics)
        if all.contains(where: { $0.mostRecent != nil || $0.duration != nil }) { return true }
        if activities.contains(where: { $0.configuration != nil || $0.effortSamples != nil }) {
            return true
        }
        return routes.flatMap(\.points).contains {
            $0.courseAccuracy != nil || $0.speedAccuracy != nil
        }
    }
}
