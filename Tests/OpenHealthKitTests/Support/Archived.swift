import Foundation
import Testing

/// Returns an object after secure archiving and unarchiving.
func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
    let classes: [AnyClass] = [type(of: object)]
    let unarchived = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    return try #require(unarchived as? Object)
}
