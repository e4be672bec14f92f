// Exports the types of attachments under the name of Apple's module, without HealthKit. The
// properties and methods of these types, and those of URL, come with them.
@_exported public import struct OpenHealthKit.UTTagClass
@_exported public import struct OpenHealthKit.UTType
