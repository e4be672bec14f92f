internal import HealthEngine
public import HealthStorage

/// Exports a store as an Apple Health export. Importing it into an empty store gives the same
/// samples, except for the data that ``StoreExportTally/losses`` counts.
///
/// ```swift
/// let export = StoreExport(store, madeAt: now, offset: 3600)
/// let tally = try export.write(ExportSelection(), to: "\(folder)/export.zip")
/// tally.losses[.ownUUIDs]   // 12
/// ```
/// An export of everything includes the files beside the records (electrocardiograms, clinical
/// records, attachments) and elements kept as text. A partial export has no date and no
/// characteristics, so that importing it into a store with other imports only adds samples. All
/// data is read in one transaction. Memory holds one batch and its members, or one file.
public struct StoreExport {
    private let store: SampleStore
    private let now: Double
    private let offset: Int

    /// Creates an export of a store.
    ///
    /// - Parameters:
    ///   - store: The store to read.
    ///   - now: The export's date, in seconds since 2001-01-01T00:00:00Z.
    ///   - offset: Seconds east of UTC for all dates.
    public init(_ store: SampleStore, madeAt now: Double, offset: Int) {
        self.store = store
        self.now = now
        self.offset = offset
    }

    /// Writes the zip, replacing any file at the path. An error during the export can leave an
    /// incomplete file, which is not a valid archive.
    ///
    /// - Parameters:
    ///   - selection: The samples to export.
    ///   - path: The file to write.
    ///   - pulse: Called before each batch and file. An error it throws ends the export.
    /// - Returns: The counts of what was written and what the format can't represent.
    /// - Throws: ``ArchiveError``, `StoreError`, and the errors of `pulse`.
    /// - Complexity: O(*n*) in the samples of the store and the bytes of kept files.
    public func write(
        _ selection: ExportSelection, to path: String, pulse: () throws -> Void = {}
    ) throws -> StoreExportTally {
        try store.withReadSnapshot { try write(selection, of: $0, to: path, pulse: pulse) }
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
        var tally = StoreExportTally(try store.exportGaps(), homeZone: try store.homeZone)
        if selection.isEverything { tally.recordedTimes = try store.electrocardiogramTimes() }
        var archive = try ExportArchive(path: path, header: header, types: { known[$0] })
        try store.forEachExportedBatch(
            selection, members: .withParents, routes: .inline
        ) { exported in
            try pulse()
            let batch = exported.namingAttachments
            tally.count(batch, types)
            tally.namedAttachments.formUnion(exported.attachmentsNamed(in: batch))
            try archive.write(batch)
        }
        if selection.isEverything {
            try StoreExport.writeElements(of: store, to: &archive, &tally)
        }
        tally.add(try archive.finishRecords(), types)
        tally.files += archive.recordPaths.count
        if selection.isEverything {
            try StoreExport.writeFiles(of: store, to: archive, &tally, pulse)
            try StoreExport.writeAttachments(of: store, to: archive, &tally, pulse)
        }
        try archive.close()
        return tally
    }
}

/// The counts of what an Apple Health export of a store contains and what it can't represent.
public struct StoreExportTally: Sendable {
    /// The number of samples in the file by type identifier. Those left out are in ``losses``.
    public var samples: [String: Int] = [:]
    /// The number of electrocardiograms, clinical records and attachments in the file.
    public var files = 0
    /// The number of items that the file lacks or represents differently, by kind. Kinds without
    /// such items are absent.
    public var losses: [ExportLoss: Int] = [:]
    /// Names for some kinds of losses: of sources, types, elements, files, programs, or a time
    /// zone.
    public var names: [ExportLoss: [String]] = [:]
    /// When the electrocardiograms among the files were recorded, in reference seconds.
    var recordedTimes: Set<Double> = []
    /// The attachments that elements of the file name.
    var namedAttachments: Set<SampleUUID> = []
    /// The number of electrocardiograms that are in the file as files.
    private var filedRecordings = 0
}

extension StoreExportTally {
    init(_ gaps: StoreExportGaps, homeZone: HomeZone?) {
        add(.ownUUIDs, gaps.ownUUIDs)
        add(.furtherMemberships, gaps.furtherMemberships)
        add(.ownBundleIdentifiers, named: gaps.ownBundleIdentifiers)
        add(.renamedSources, named: gaps.renamedSources)
        add(.customSourceOrders, named: gaps.customizedTypes)
        add(.grants, named: gaps.grants)
        add(.dayNotes, gaps.dayNotes)
        add(.medications, gaps.medications)
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
            if isFiled(sample, types) {
                samples[ElectrocardiogramSamples.identifier, default: 0] += 1
                filedRecordings += 1
                continue
            }
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
        for (index, detail) in batch.details where !isFiled(batch.samples[index], types) {
            let type = types[batch.samples[index].type]?.name ?? ""
            count(detail.audiogram(ofType: type).map(SampleDetail.audiogram) ?? detail)
            if case .visionPrescription(let content) = detail {
                count(content, of: batch.samples[index], in: batch)
            }
        }
    }

    /// Whether a sample is an electrocardiogram that is exported as a file.
    private func isFiled(_ sample: Sample, _ types: [Int32: SampleType]) -> Bool {
        recordedTimes.contains(sample.start)
            && types[sample.type]?.identifier == ElectrocardiogramSamples.identifier
    }

    private mutating func count(_ detail: SampleDetail) {
        switch detail {
        case .workout(let workout):
            if workout.holdsMoreThanExports { add(.workoutDetails, 1) }
        case .series: add(.seriesQuantities, 1)
        case .numbers, .medicationDose: add(.otherDetails, 1)
        case .audiogram(let audiogram):
            if audiogram.exportable != audiogram { add(.measurementDetails, 1) }
        case .activitySummary, .heartbeats, .route, .clinicalRecord, .visionPrescription: break
        // They have no form at all, and their samples are counted.
        case .document, .verifiableClinicalRecord: break
        }
    }

    /// Returns the number of metadata entries that an import would read with another value or type.
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
        for (code, total) in tally.unwritable.merging(tally.unknownTypes, uniquingKeysWith: +) {
            let identifier = types[code]?.identifier ?? String(code)
            let isFiled = identifier == ElectrocardiogramSamples.identifier
            let count = isFiled ? total - filedRecordings : total
            if count <= 0 { continue }
            add(.unsupportedSamples, count)
            names[.unsupportedSamples, default: []].append(identifier)
            let held = (samples[identifier] ?? 0) - count
            samples[identifier] = held > 0 ? held : nil
        }
        names[.unsupportedSamples]?.sort()
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
    /// Whether the workout has data that exports don't contain.
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

/// A kind of data that an Apple Health export can't represent.
public enum ExportLoss: String, Sendable, CaseIterable {
    case unsupportedSamples = "samplesWithoutForm"
    case fractionsOfSeconds, seriesQuantities, otherDetails, workoutDetails, measurementDetails
    case missingRouteFiles, savedRoutes, routePoints, renamedFiles, unnamedFiles
    case unnamedAttachments
    case systemVersions, metadataKinds, unwritableCharacters
    case ownUUIDs, ownBundleIdentifiers, renamedSources, furtherMemberships
    case customSourceOrders = "sourceArrangements"
    case homeZone, grants, rawElements, dayNotes, medications

    /// The kind as a phrase that follows the number.
    public var description: String {
        switch self {
        case .unsupportedSamples: "samples that have no element in the format; omitted"
        case .fractionsOfSeconds: "samples with fractions of a second; rounded down"
        case .seriesQuantities: "series of quantities; each written as one sample"
        case .otherDetails: "samples with other structured content; written without it"
        case .workoutDetails: "workouts with details that only programs save; written without them"
        case .measurementDetails:
            "audiograms and prescriptions with details that exports do not contain"
        case .missingRouteFiles: "workout routes whose points were never imported"
        case .savedRoutes: "routes saved as samples; written as part of their workouts"
        case .routePoints: "points of routes without a time or a location; omitted"
        case .renamedFiles: "files with a duplicate name; written under a new name"
        case .unnamedFiles: "files whose names are not allowed in a zip; omitted"
        case .unnamedAttachments:
            "attachments of samples whose element can't name them; written as files"
        case .systemVersions: "samples with a system version"
        case .metadataKinds: "metadata values whose type changes, for example to text"
        case .unwritableCharacters: "characters that XML does not allow; replaced"
        case .ownUUIDs: "samples saved with their own UUID; they get a new one"
        case .ownBundleIdentifiers: "bundle identifiers of sources that were not derived"
        case .renamedSources: "sources with an earlier name; their samples get new UUIDs"
        case .furtherMemberships: "additional workouts or correlations of a sample"
        case .customSourceOrders: "types with a custom order or exclusion of sources"
        case .homeZone: "home zone"
        case .grants: "programs with permissions"
        case .rawElements: "elements kept as text that are incomplete or nested"
        case .dayNotes: "notes on days"
        case .medications: "medications; their doses have no element either"
        }
    }
}
