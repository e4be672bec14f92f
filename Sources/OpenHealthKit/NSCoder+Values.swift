import Foundation

/// Reads and writes optional fields of archives. Strings are archived as NSString and structures as
/// NSData; an optional field is archived only if it has a value. Decoding a missing key would fail
/// the whole archive, so the methods that read check for the key first.
extension NSCoder {
    func string(_ key: String) -> String? { value(NSString.self, key) as String? }

    func data(_ key: String) -> Data? { value(NSData.self, key) as Data? }

    /// Returns an archived object, whose class can be a subclass of `Value`; nil if the key is
    /// missing.
    func value<Value: NSObject & NSCoding>(_ type: Value.Type, _ key: String) -> Value? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// Returns an archived array; empty if the key is missing.
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
