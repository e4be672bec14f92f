// Ages that are the difference of two years.
import Foundation
import HealthKit

struct Profile {
    var age: Int?
    var birthYear: Int?
    var maximumHeartRate: Int?
}

final class ProfileReader {
    private let store: HKHealthStore
    private let calendar = Calendar.current
    private var profile = Profile()

    init(store: HKHealthStore) { self.store = store }

    func age() throws -> Int {
        let components = try store.dateOfBirthComponents()
        return Calendar.current.component(.year, from: Date()) - components.year!  // finds age-by-years
    }

    func load() {
        if let birth = try? store.dateOfBirthComponents(), let year = birth.year {
            let thisYear = calendar.component(.year, from: .now)
            profile.age = thisYear - year  // finds age-by-years
        }
    }

    func loadFromDate() throws {
        guard let birthday = try store.dateOfBirthComponents().date else { return }
        let now = calendar.dateComponents([.year, .month, .day], from: Date())
        let birth = calendar.dateComponents([.year, .month, .day], from: birthday)
        profile.age = now.year! - birth.year!  // finds age-by-years
    }

    func loadYear() throws { profile.birthYear = try store.dateOfBirthComponents().year }

    var shownAge: String {
        guard let birthYear = profile.birthYear else { return "–" }
        let year = calendar.component(.year, from: Date())
        return "\(year - birthYear) years"  // finds age-by-years
    }

    func loadMaximum() throws {
        let birth = try store.dateOfBirthComponents()
        let year = calendar.component(.year, from: Date())
        profile.maximumHeartRate = 220 - (year - (birth.year ?? 1990))  // finds age-by-years
    }

    func ageOfPerson() throws -> Int {
        guard let year = try store.dateOfBirthComponents().year else { return 0 }
        return difference(to: year)
    }

    private func difference(to birth: Int) -> Int {
        calendar.component(.year, from: Date()) - birth  // finds age-by-years
    }
}
