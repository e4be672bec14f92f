// A file that imports HealthKit on Apple's platforms sees Foundation and Dispatch too.
@_exported public import Dispatch
@_exported public import Foundation
