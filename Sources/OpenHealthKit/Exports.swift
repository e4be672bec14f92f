// Re-exports Foundation and Dispatch, as Apple's HealthKit module does. FoundationGaps adds what
// Foundation lacks on Linux.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationGaps
