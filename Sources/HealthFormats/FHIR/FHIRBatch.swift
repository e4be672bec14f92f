import HealthEngine
import HealthStorage

/// A batch with lookups that its samples share.
struct FHIRBatch {
    /// The types of which a blood pressure has a component each.
    static let components = ["bloodPressureSystolic", "bloodPressureDiastolic"]
        .compactMap(Catalogue.type(named:))
    private static let panel = Catalogue.type(named: "bloodPressure")

    let samples: SampleBatch
    private let main: SampleType
    private let types: [Int32: SampleType]
    private let uuids: [String]
    private let children: [Int: [Int]]
    private var conversions: [Conversion: UnitConversion?] = [:]

    private struct Conversion: Hashable {
        var unit: String
        var target: String
    }

    init(_ exported: ExportedBatch, _ types: [Int32: SampleType]) {
        samples = exported.batch
        main = exported.type
        self.types = types
        uuids = exported.uuids
        children = Dictionary(grouping: exported.batch.parents.keys.sorted()) {
            exported.batch.parents[$0] ?? -1
        }
    }

    func type(of index: Int) -> SampleType? {
        let code = samples.samples[index].type
        return code == main.code ? main : types[code] ?? Catalogue.type(code: code)
    }

    func isPanel(_ index: Int) -> Bool { samples.samples[index].type == FHIRBatch.panel?.code }

    func members(of index: Int) -> [Int] { children[index] ?? [] }

    func uuid(of index: Int) -> String? { uuids.indices.contains(index) ? uuids[index] : nil }

    private func origin(of index: Int) -> Origin? {
        let origin = Int(samples.samples[index].origin)
        return samples.origins.indices.contains(origin) ? samples.origins[origin] : nil
    }

    func unit(of index: Int) -> String? { origin(of: index)?.unit }

    func device(of index: Int) -> FHIRDevice? {
        guard let origin = origin(of: index), samples.sources.indices.contains(Int(origin.source))
        else { return nil }
        return FHIRDevice(source: samples.sources[Int(origin.source)], origin.device)
    }

    /// Returns the value of a sample in a unit, without the rounding errors of the conversion; nil
    /// if its unit is unknown or doesn't fit.
    mutating func value(of index: Int, in target: String) -> Double? {
        guard let unit = unit(of: index) else { return nil }
        let key = Conversion(unit: unit, target: target)
        let conversion = conversions[key] ?? FHIRBatch.conversion(unit, target)
        conversions[key] = .some(conversion)
        guard let conversion else { return nil }
        let value = samples.samples[index].value
        return conversion.isIdentity ? value : FHIRText.settled(conversion(value))
    }

    private static func conversion(_ unit: String, _ target: String) -> UnitConversion? {
        guard let from = try? HealthUnit(unit), let to = try? HealthUnit(target) else { return nil }
        return try? from.conversion(to: to)
    }
}
