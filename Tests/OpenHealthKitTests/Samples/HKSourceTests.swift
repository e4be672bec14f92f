import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Sources, revisions, devices and tombstones")
struct HKSourceTests {
    private let watch = HKSource(_name: "Watch", bundleIdentifier: "com.apple.health.1")

    @Test(
        "§9.9 sources are equal if their bundle identifiers are equal",
        .covers("HKSource", "HKSource.name", "HKSource.bundleIdentifier"))
    func source() throws {
        #expect(watch.name == "Watch")
        #expect(watch.bundleIdentifier == "com.apple.health.1")
        let renamed = HKSource(_name: "Other", bundleIdentifier: "com.apple.health.1")
        #expect(watch == renamed)
        #expect(watch.hash == renamed.hash)
        #expect(watch != HKSource(_name: "Watch", bundleIdentifier: "com.apple.health.2"))
        let back = try archived(watch)
        #expect(back == watch)
        #expect(back.name == "Watch")
    }

    @Test(
        "an unsaved object's source has an empty bundle identifier",
        .covers("HKSource.default()", "HKObject.source", "HKObject.sourceRevision"))
    func ownSource() {
        let sample = HKCategorySample(
            type: HKCategoryType(.acne), value: 0, start: .distantPast, end: .distantPast)
        #expect(sample.source.bundleIdentifier.isEmpty)
        #expect(sample.sourceRevision.source.bundleIdentifier.isEmpty)
        #expect(sample.source != .default())
        for source in [HKSource.default(), sample.source] {
            let own = HKQuery.predicateForObjects(from: source)
            #expect(own.evaluate(with: sample), "in memory it is this app's")
        }
        #expect(!HKQuery.predicateForObjects(from: watch).evaluate(with: sample))
        #expect(!HKSource.default().bundleIdentifier.isEmpty)
        #expect(HKSource.default() == .default())
        let stored = HKSample(
            _record: SampleRecord(
                uuid: UUID(), sampleType: HKCategoryType(.acne), start: 0, end: 0,
                origin: SampleOrigin(
                    sourceRevision: HKSourceRevision(source: watch, version: "9"), device: .local())
            ))
        #expect(stored.source == watch)
        #expect(stored.sourceRevision.version == "9")
        #expect(stored.device == .local())
    }

    @Test("the default source is the process; in predicates it is the app of the query's handle")
    func processAndApp() async throws {
        let current = AppIdentity.current
        #expect(HKSource.default().bundleIdentifier == current.bundleIdentifier)
        #expect(HKSource.default().name == current.name)
        let store = try await QueriedStore.open(
            as: AppIdentity("com.example.diary", name: "Diary", version: "2.5"))
        let sample = QueriedStore.walk(7, from: 0, to: 1)
        #expect(sample.sourceRevision.version == current.version)
        try await store.save(sample)
        let predicates = [
            HKQuery.predicateForObjects(from: HKSource.default()),
            HKQuery.predicateForObjects(from: sample.sourceRevision.source),
            HKQuery.predicateForObjects(from: [sample.sourceRevision]),
        ]
        for predicate in predicates {
            let query = HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: QueriedStore.steps, predicate: predicate)],
                sortDescriptors: [])
            #expect(try await query.result(for: store).map(\.uuid) == [sample.uuid], "\(predicate)")
            let other = try await QueriedStore.other(store, "com.example.other")
            #expect(try await query.result(for: other).isEmpty)
        }
    }

    @Test(
        "§9.9 source revisions are equal if all properties are equal",
        .covers(
            "HKSourceRevision", "HKSourceRevision.source", "HKSourceRevision.version",
            "HKSourceRevision.productType", "HKSourceRevision.operatingSystemVersion",
            "HKSourceRevision.init(source:version:)",
            "HKSourceRevision.init(source:version:productType:operatingSystemVersion:)",
            "HKSourceRevisionAnyOperatingSystem"))
    func revision() throws {
        let system = OperatingSystemVersion(majorVersion: 10, minorVersion: 1, patchVersion: 2)
        let revision = HKSourceRevision(
            source: watch, version: "4", productType: "Watch6,2", operatingSystemVersion: system)
        #expect(revision.source == watch)
        #expect(revision.version == "4")
        #expect(revision.productType == "Watch6,2")
        #expect(revision.operatingSystemVersion.majorVersion == 10)
        #expect(revision.operatingSystemVersion.minorVersion == 1)
        #expect(revision.operatingSystemVersion.patchVersion == 2)
        #expect(try archived(revision) == revision)

        let any = HKSourceRevision(source: watch, version: "4")
        #expect(any.version == "4")
        #expect(any.productType == HKSourceRevisionAnyProductType)
        #expect(
            any.operatingSystemVersion.majorVersion
                == HKSourceRevisionAnyOperatingSystem.majorVersion)
        #expect(HKSourceRevisionAnyOperatingSystem.majorVersion < 0)
        #expect(any != revision)
        #expect(any == HKSourceRevision(source: watch, version: "4"))
        #expect(any.hash == HKSourceRevision(source: watch, version: "4").hash)
    }

    @Test(
        "§9.9 devices are equal if all properties are equal",
        .covers(
            "HKDevice", "HKDevice.name", "HKDevice.manufacturer", "HKDevice.model",
            "HKDevice.hardwareVersion", "HKDevice.firmwareVersion", "HKDevice.softwareVersion",
            "HKDevice.localIdentifier", "HKDevice.udiDeviceIdentifier", "HKDevice.local()",
            "HKDevice.init(name:manufacturer:model:hardwareVersion:firmwareVersion:softwareVersion:localIdentifier:udiDeviceIdentifier:)"
        ))
    func device() throws {
        func made(udi: String?) -> HKDevice {
            HKDevice(
                name: "a", manufacturer: "b", model: "c", hardwareVersion: "d",
                firmwareVersion: "e", softwareVersion: "f", localIdentifier: "g",
                udiDeviceIdentifier: udi)
        }
        let device = made(udi: "h")
        #expect(device.name == "a")
        #expect(device.manufacturer == "b")
        #expect(device.model == "c")
        #expect(device.hardwareVersion == "d")
        #expect(device.firmwareVersion == "e")
        #expect(device.softwareVersion == "f")
        #expect(device.localIdentifier == "g")
        #expect(device.udiDeviceIdentifier == "h")
        #expect(device == made(udi: "h"))
        #expect(device.hash == made(udi: "h").hash)
        #expect(device != made(udi: nil))
        #expect(try archived(device) == device)
        #expect(HKDevice.local().softwareVersion != nil)
        #expect(HKDevice.local().name == nil, "nothing that tells whose machine it is")
    }

    @Test(
        "§6.6 a tombstone has the UUID, sync identifier and sync version",
        .covers("HKDeletedObject", "HKDeletedObject.uuid", "HKDeletedObject.metadata"))
    func deletedObject() throws {
        let uuid = UUID()
        let bare = HKDeletedObject(_uuid: uuid)
        #expect(bare.uuid == uuid)
        #expect(bare.metadata == nil)
        let synced = HKDeletedObject(_uuid: uuid, syncIdentifier: "a", syncVersion: 2)
        #expect(synced.metadata?.count == 2)
        #expect(synced.metadata?[HKMetadataKeySyncIdentifier] as? String == "a")
        #expect(synced.metadata?[HKMetadataKeySyncVersion] as? Int == 2)
        let back = try archived(synced)
        #expect(back == synced)
        #expect(back.metadata?[HKMetadataKeySyncVersion] as? Int == 2)
    }

    @Test(
        "characteristic objects have their value",
        .covers(
            "HKBiologicalSexObject*", "HKBloodTypeObject*", "HKFitzpatrickSkinTypeObject*",
            "HKWheelchairUseObject*", "HKActivityMoveModeObject*"))
    func characteristics() throws {
        let sex = HKBiologicalSexObject(_value: .female)
        #expect(sex.biologicalSex == .female)
        #expect(try archived(sex) == sex)
        let blood = HKBloodTypeObject(_value: .abNegative)
        #expect(blood.bloodType == .abNegative)
        #expect(try archived(blood).bloodType == .abNegative)
        let skin = HKFitzpatrickSkinTypeObject(_value: .IV)
        #expect(skin.skinType == .IV)
        #expect(try archived(skin).skinType == .IV)
        let wheelchair = HKWheelchairUseObject(_value: .yes)
        #expect(wheelchair.wheelchairUse == .yes)
        #expect(try archived(wheelchair).wheelchairUse == .yes)
        let mode = HKActivityMoveModeObject(_value: .appleMoveTime)
        #expect(mode.activityMoveMode == .appleMoveTime)
        #expect(try archived(mode).activityMoveMode == .appleMoveTime)
        #expect(HKBloodTypeObject(_value: .oPositive) != blood)
    }

    @Test("a characteristic object created without a value is notSet")
    func emptyCharacteristics() {
        #expect(HKBiologicalSexObject().biologicalSex == .notSet)
        #expect(HKBloodTypeObject().bloodType == .notSet)
        #expect(HKFitzpatrickSkinTypeObject().skinType == .notSet)
        #expect(HKWheelchairUseObject().wheelchairUse == .notSet)
        #expect(HKActivityMoveModeObject().activityMoveMode == .activeEnergy)
    }
}
