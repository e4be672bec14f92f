import Foundation
import HealthEngine

/// Reads the values of key paths by name, since Foundation on Linux has no key-value coding.
enum KeyPathValue {
    /// Returns the value at a key path.
    ///
    /// - Parameters:
    ///   - object: A sample, source, revision, device or dictionary.
    ///   - path: Names of properties, separated by dots. After `metadata.` follows a metadata key,
    ///     which can contain dots.
    /// - Returns: The value; nil if there is none and for unknown names.
    static func value(of object: Any?, at path: String) -> Any? {
        guard let object = PredicateConstant.unwrapped(object) else { return nil }
        if path == "SELF" { return object }
        let name = String(path.prefix { $0 != "." })
        let value = property(name, of: object)
        guard name.count < path.count else { return value }
        let rest = String(path.dropFirst(name.count + 1))
        if name == HKPredicateKeyPathMetadata, object is HKObject {
            return (value as? [String: Any])?[rest]
        }
        return Self.value(of: value, at: rest)
    }

    private static func property(_ name: String, of object: Any) -> Any? {
        if name == "SELF" { return object }
        switch object {
        case let dictionary as [String: Any]: return dictionary[name]
        case let dictionary as NSDictionary: return dictionary.object(forKey: name)
        case let sample as HKSample: return property(name, of: sample)
        case let revision as HKSourceRevision:
            switch name {
            case "source": return revision.source
            case "version": return revision.version
            case "productType": return revision.productType
            default: return nil
            }
        case let source as HKSource:
            switch name {
            case "name": return source.name
            case "bundleIdentifier": return source.bundleIdentifier
            default: return nil
            }
        case let device as HKDevice: return property(name, of: device)
        default: return nil
        }
    }

    private static func property(_ name: String, of sample: HKSample) -> Any? {
        switch name {
        case "startDate": sample.startDate
        case "endDate": sample.endDate
        case "UUID", "uuid": sample.uuid
        case "metadata": sample.metadata
        case "device": sample.device
        case "sourceRevision": sample.sourceRevision
        case "source": sample.sourceRevision.source
        case "sampleType": sample.sampleType
        case "quantity": (sample as? HKQuantitySample)?.quantity
        case "count": (sample as? HKQuantitySample)?.count
        case "value": (sample as? HKCategorySample)?.value
        default: (sample as? HKWorkout).flatMap { property(name, of: $0) }
        }
    }

    private static func property(_ name: String, of workout: HKWorkout) -> Any? {
        switch name {
        case "duration": workout.duration
        case "workoutActivityType": workout.workoutActivityType.rawValue
        default: nil
        }
    }

    /// - Parameter name: The name of a property, or its `HKDevicePropertyKey…` constant.
    private static func property(_ name: String, of device: HKDevice) -> Any? {
        switch SampleFilter.DeviceProperty(rawValue: name).map({ "\($0)" }) ?? name {
        case "name": device.name
        case "manufacturer": device.manufacturer
        case "model": device.model
        case "hardwareVersion": device.hardwareVersion
        case "firmwareVersion": device.firmwareVersion
        case "softwareVersion": device.softwareVersion
        case "localIdentifier": device.localIdentifier
        case "udiDeviceIdentifier": device.udiDeviceIdentifier
        default: nil
        }
    }
}
