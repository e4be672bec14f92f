import Foundation

/// Archives hold texts as NSString and optional fields only where they have a value.
extension NSCoder {
    func string(_ key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key) as String?
    }

    func encode(_ text: String?, for key: String) {
        if let text { encode(text as NSString, forKey: key) }
    }

    /// An archived object of a class that may be a subclass of `Value`.
    func value<Value: NSObject & NSCoding>(_ type: Value.Type, _ key: String) -> Value? {
        decodeObject(of: type, forKey: key)
    }
}
