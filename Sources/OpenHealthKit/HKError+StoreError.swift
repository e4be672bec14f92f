import HealthStorage

extension HKError {
    /// What a failure of the file means to an app.
    init(_ error: StoreError) {
        self.init(HKError.code(error.code), error.description)
    }

    /// Any error as HealthKit's: those of the file translated, others told as they are.
    init(reporting error: any Error) {
        switch error {
        case let error as HKError: self = error
        case let error as StoreError: self.init(error)
        default: self.init(.unknownError, "\(error)")
        }
    }

    private static func code(_ code: StoreError.Code) -> Code {
        switch code {
        case .missing, .notAStore, .newerVersion, .notPermitted, .corrupt,
            .alteredSchema:
            .errorHealthDataUnavailable
        case .busy, .full, .failed: .errorDatabaseInaccessible
        case .unknownSource, .ambiguousSource, .unknownType, .invalidArgument, .unknownSample:
            .errorInvalidArgument
        case .notOwner: .errorAuthorizationDenied
        case .cancelled: .errorUserCanceled
        }
    }
}

/// Runs a body and gives whatever it throws as HealthKit's error.
func translatingErrors<Value>(_ body: () throws -> Value) throws(HKError) -> Value {
    do { return try body() } catch { throw HKError(reporting: error) }
}
