import Foundation

/// Archives hold texts as NSString, structures as NSData, and optional fields only where they have
/// a value. A look-up of a missing key would fail the whole archive, so each asks first.
extension NSCoder {
    func string(_ key: String) -> String? { value(NSString.self, key) as String? }

    func data(_ key: String) -> Data? { value(NSData.self, key) as Data? }

    /// An archived object of a class that may be a subclass of `Value`.
    func value<Value: NSObject & NSCoding>(_ type: Value.Type, _ key: String) -> Value? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// An archived array; empty without one.
    func array<Value: NSObject & NSCoding>(of type: Value.Type, _ key: String) -> [Value] {
        guard containsValue(forKey: key) else { return [] }
        return decodeObject(of: [NSArray.self, type], forKey: key) as? [Value] ?? []
    }

    func encode(_ text: String?, for key: String) {
        if let text { encode(text as NSString, forKey: key) }
    }

    func encode(_ data: Data?, for key: String) {
        if let data { encode(data as NSData, forKey: key) }
    }
}
