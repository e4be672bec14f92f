import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Errors")
struct HKErrorTests {
    private func fail(_ code: HKError.Code) throws { throw HKError(code) }

    @Test(
        "an error can be caught by its code, as HKError and as NSError",
        .covers("HKError", "HKError.init(_:)", "HKError.errorDomain", "HKError.Code"))
    func catching() throws {
        do {
            try fail(.errorNoData)
            Issue.record("nothing was thrown")
        } catch HKError.errorNoData {
            // The pattern that apps use.
        }
        do {
            try fail(.errorAuthorizationDenied)
        } catch let error as HKError {
            #expect(error.code == .errorAuthorizationDenied)
            #expect(error.errorCode == 4)
        }
        let error: any Error = HKError(.errorDatabaseInaccessible)
        #expect((error as NSError).domain == "com.apple.healthkit")
        #expect((error as NSError).code == 6)
        #expect(HKError.errorDomain == HKErrorDomain)
        #expect((error as? HKError)?.code == .errorDatabaseInaccessible)
    }

    @Test(
        "an error made of a code has this code, also as NSError",
        arguments: HKError.Code.allCases)
    func codes(code: HKError.Code) {
        let error = HKError(code, "why")
        #expect(error.code == code)
        #expect((error as NSError).code == code.rawValue)
    }

    @Test(
        "the static constants of HKError equal its codes, which have Apple's numbers",
        .covers("HKError", "HKError.Code.*"))
    func constants() {
        let constants = [
            HKError.unknownError, HKError.errorHealthDataUnavailable,
            HKError.errorHealthDataRestricted, HKError.errorInvalidArgument,
            HKError.errorAuthorizationDenied, HKError.errorAuthorizationNotDetermined,
            HKError.errorDatabaseInaccessible, HKError.errorUserCanceled,
            HKError.errorAnotherWorkoutSessionStarted, HKError.errorUserExitedWorkoutSession,
            HKError.errorRequiredAuthorizationDenied, HKError.errorNoData,
            HKError.errorWorkoutActivityNotAllowed, HKError.errorDataSizeExceeded,
            HKError.errorBackgroundWorkoutSessionNotAllowed,
            HKError.errorNotPermissibleForGuestUserMode,
        ]
        #expect(constants.map(\.rawValue) == Array(0...15))
    }

    @Test("§6.10 descriptions that apps compare are Apple's; the reason is separate")
    func wellKnown() {
        let error = HKError(.errorNoData, "no steps in range")
        #expect(error.localizedDescription == "No data available for the specified predicate.")
        #expect(error.reason == "no steps in range")
        #expect(
            HKError(.errorDatabaseInaccessible, "locked").localizedDescription
                == "Protected health data is inaccessible")
        let other = HKError(.errorInvalidArgument, "the end is before the start")
        #expect(other.localizedDescription == "the end is before the start")
        #expect((other as NSError).localizedDescription == "the end is before the start")
    }
}
