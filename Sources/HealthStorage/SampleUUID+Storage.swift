import HealthEngine

extension SampleUUID {
    /// The UUID of an imported row, which follows from its place in the index.
    init(ofImportedType type: Int32, start: Double, key: Int64) {
        let (high, low) = ImportedIdentity.uuid(type: type, start: start, key: key)
        self.init(high: high, low: low)
    }

    /// Where an imported sample of this UUID stands; nil for UUIDs of other kinds.
    var importedPlace: (type: Int32, start: Double, key: Int64)? {
        ImportedIdentity.place(high: high, low: low)
    }

    /// The key of a sample saved with this UUID: what orders it among samples of equal start.
    ///
    /// It follows from the UUID alone, so that the same samples stand in the same order in every
    /// store, in whichever order they were saved.
    var savedKey: Int64 { Int64((ImportedIdentity.mix(high) ^ low) & ((1 << 62) - 1)) }
}
