public import Foundation
import HealthEngine
import HealthStorage

/// An enumeration of a characteristic's values, which the store keeps under the names used in
/// Apple's exports.
protocol CharacteristicValue: RawRepresentable where RawValue == Int {
    static var enumeration: String { get }
}

extension HKBiologicalSex: CharacteristicValue {
    static var enumeration: String { "HKBiologicalSex" }
}
extension HKBloodType: CharacteristicValue {
    static var enumeration: String { "HKBloodType" }
}
extension HKFitzpatrickSkinType: CharacteristicValue {
    static var enumeration: String { "HKFitzpatrickSkinType" }
}
extension HKWheelchairUse: CharacteristicValue {
    static var enumeration: String { "HKWheelchairUse" }
}
extension HKActivityMoveMode: CharacteristicValue {
    static var enumeration: String { "HKActivityMoveMode" }
}

extension CharacteristicValue {
    fileprivate init?(exported text: String) {
        guard let value = Catalogue.value(exportedAs: text), value.enumeration == Self.enumeration
        else { return nil }
        self.init(rawValue: value.rawValue)
    }

    fileprivate var exported: String? {
        Catalogue.value(rawValue, of: Self.enumeration)?.exportedName
    }
}

extension HKHealthStore {
    /// Returns a characteristic; nil if it is not set, if reading it was denied, or if the stored
    /// name is unknown (Semantics §8.13).
    ///
    /// - Throws: `errorAuthorizationNotDetermined` if the characteristic was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another `HKError`.
    func characteristic<Value: CharacteristicValue>(
        _ identifier: HKCharacteristicTypeIdentifier
    ) throws(HKError) -> Value? {
        try exportedCharacteristic(identifier).flatMap { Value(exported: $0) }
    }

    private func exportedCharacteristic(
        _ identifier: HKCharacteristicTypeIdentifier
    ) throws(HKError) -> String? {
        let store = try connection.readableStore
        let type = HKCharacteristicType(identifier)
        let permission = try permission(for: type)
        guard permission.wasRequested else {
            throw notDetermined(type, missing(read: [type]))
        }
        guard permission.read == .granted else { return nil }
        return try translatingErrors { try store.characteristics()[type.identifier] }
    }

    func birthdayComponents() throws(HKError) -> DateComponents {
        guard let text = try exportedCharacteristic(.dateOfBirth),
            let day = CivilDate(text)
        else { throw HKError(.errorNoData, "No date of birth is set.") }
        var components = DateComponents(year: day.year, month: day.month, day: day.day)
        components.calendar = Calendar(identifier: .gregorian)
        components.era = 1
        return components
    }

    func birthday() throws(HKError) -> Date {
        var components = try birthdayComponents()
        components.calendar?.timeZone = configuration.calendar.timeZone
        guard let date = components.date else {
            throw HKError(.errorNoData, "The stored date of birth is invalid.")
        }
        return date
    }

    /// Sets the person's sex, as a person does in the Health app. Not part of Apple's API.
    ///
    /// - Parameter value: The value; nil removes it.
    /// - Throws: `HKError` if the store cannot be opened or written.
    public func setBiologicalSex(_ value: HKBiologicalSex?) throws {
        try storeCharacteristic(value?.exported, as: .biologicalSex)
    }

    /// Sets the person's blood type. Not part of Apple's API.
    ///
    /// - Parameter value: The value; nil removes it.
    /// - Throws: `HKError` if the store cannot be opened or written.
    public func setBloodType(_ value: HKBloodType?) throws {
        try storeCharacteristic(value?.exported, as: .bloodType)
    }

    /// Sets the person's skin type. Not part of Apple's API.
    ///
    /// - Parameter value: The value; nil removes it.
    /// - Throws: `HKError` if the store cannot be opened or written.
    public func setFitzpatrickSkinType(_ value: HKFitzpatrickSkinType?) throws {
        try storeCharacteristic(value?.exported, as: .fitzpatrickSkinType)
    }

    /// Sets whether the person uses a wheelchair. Not part of Apple's API.
    ///
    /// - Parameter value: The value; nil removes it.
    /// - Throws: `HKError` if the store cannot be opened or written.
    public func setWheelchairUse(_ value: HKWheelchairUse?) throws {
        try storeCharacteristic(value?.exported, as: .wheelchairUse)
    }

    /// Sets whether the person's move ring measures energy or time. Not part of Apple's API.
    ///
    /// - Parameter value: The value; nil removes it.
    /// - Throws: `HKError` if the store cannot be opened or written.
    public func setActivityMoveMode(_ value: HKActivityMoveMode?) throws {
        try storeCharacteristic(value?.exported, as: .activityMoveMode)
    }

    /// Sets the date of birth. Not part of Apple's API.
    ///
    /// - Parameter components: Year, month and day in the Gregorian calendar; nil removes the date.
    /// - Throws: `HKError.errorInvalidArgument` for components that are not a valid day; another
    ///   `HKError` if the store cannot be opened or written.
    public func setDateOfBirth(_ components: DateComponents?) throws {
        guard let components else { return try storeCharacteristic(nil, as: .dateOfBirth) }
        guard let year = components.year, let month = components.month, let day = components.day,
            case let date = CivilDate(year, month, day),
            CivilDate(dayNumber: date.dayNumber) == date
        else {
            throw HKError(
                .errorInvalidArgument, "A date of birth needs a year, a month and a day.")
        }
        try storeCharacteristic(date.description, as: .dateOfBirth)
    }

    private func storeCharacteristic(
        _ text: String?, as identifier: HKCharacteristicTypeIdentifier
    ) throws(HKError) {
        let store = try connection.store
        try translatingErrors { try store.setCharacteristic(identifier.rawValue, to: text) }
    }
}
