// Exports the location types of workout routes under CoreLocation's module name, without HealthKit.
@_exported public import class OpenHealthKit.CLFloor
@_exported public import class OpenHealthKit.CLLocation
@_exported public import typealias OpenHealthKit.CLLocationAccuracy
@_exported public import struct OpenHealthKit.CLLocationCoordinate2D
@_exported public import func OpenHealthKit.CLLocationCoordinate2DIsValid
@_exported public import func OpenHealthKit.CLLocationCoordinate2DMake
@_exported public import typealias OpenHealthKit.CLLocationDegrees
@_exported public import typealias OpenHealthKit.CLLocationDirection
@_exported public import typealias OpenHealthKit.CLLocationDirectionAccuracy
@_exported public import typealias OpenHealthKit.CLLocationDistance
@_exported public import typealias OpenHealthKit.CLLocationSpeed
@_exported public import typealias OpenHealthKit.CLLocationSpeedAccuracy
@_exported public import let OpenHealthKit.kCLLocationCoordinate2DInvalid
