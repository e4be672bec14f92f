// Ages by the calendar, and years that are subtracted for other reasons.
import Foundation
import HealthKit

final class AgeReader {
    private let store: HKHealthStore
    private let calendar = Calendar.current

    init(store: HKHealthStore) { self.store = store }

    func age() throws -> Int? {
        let birth = try store.dateOfBirthComponents()
        guard let date = calendar.date(from: birth) else { return nil }
        return calendar.dateComponents([.year], from: date, to: Date()).year
    }

    func ageByComponents() throws -> Int? {
        let birth = try store.dateOfBirthComponents()
        let today = calendar.dateComponents([.year, .month, .day], from: Date())
        return calendar.dateComponents([.year], from: birth, to: today).year
    }

    func correctedAge() throws -> Int {
        let birth = try store.dateOfBirthComponents()
        let today = calendar.dateComponents([.year, .month, .day], from: Date())
        var age = today.year! - birth.year!
        if (today.month!, today.day!) < (birth.month!, birth.day!) { age -= 1 }
        return age
    }

    func ageByBirthday() throws -> Int {
        let birth = try store.dateOfBirthComponents()
        let year = calendar.component(.year, from: Date())
        let hadBirthday = calendar.component(.month, from: Date()) > birth.month!
        return year - birth.year! - (hadBirthday ? 0 : 1)
    }

    /// How many years the person has used the app.
    func yearsOfUse(since first: Date) -> Int {
        calendar.component(.year, from: Date()) - calendar.component(.year, from: first)
    }

    func bornIn() throws -> String { String(try store.dateOfBirthComponents().year ?? 0) }
}
