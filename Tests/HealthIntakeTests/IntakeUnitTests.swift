import HealthEngine
import Testing

@testable import HealthIntake

@Suite struct IntakeUnitTests {
    @Test("Cal with a capital is a kilocalorie, and cal is a thousandth of it, as in HealthKit")
    func calories() throws {
        #expect(IntakeUnit.named("Cal")?.symbol == "kcal")
        #expect(IntakeUnit.named("kcal")?.symbol == "kcal")
        let small = try #require(IntakeUnit.named("cal"))
        #expect(small == IntakeUnit("cal"))
        #expect(try HealthUnit(small.symbol).factor * 1000 == HealthUnit("kcal").factor)
        let energy = try #require(Catalogue.type(named: "activeEnergyBurned"))
        #expect(IntakeUnit.sent("Cal", for: energy, .hundred)?.symbol == "kcal")
        #expect(IntakeUnit.sent("cal", for: energy, .hundred) == nil)
    }

    @Test("an empty unit is no unit")
    func empty() {
        #expect(IntakeUnit.named("") == nil)
        #expect(IntakeUnit.named("", compatibleWith: "count", .fraction) == nil)
        #expect(IntakeUnit.named(" ") == nil)
    }

    @Test("percent of 0 to 100 become the fractions that are written with the same digits")
    func percentages() throws {
        let percent = try #require(IntakeUnit.named("%", .hundred))
        #expect(percent.symbol == "%")
        #expect(percent.converted(27.4) == 0.274)
        for hundredths in 0...10_000 {
            let sent = Double(hundredths) / 100
            #expect(percent.converted(sent) == Double(hundredths) / 10_000)
        }
        #expect(percent.converted(1e-7) == 1e-9 && percent.converted(2.5e16) == 2.5e14)
        #expect(percent.converted(.infinity) == .infinity)
        #expect(percent.converted(-5) == -0.05)
        #expect(try #require(IntakeUnit.named("%", .fraction)).converted(0.274) == 0.274)
    }

    @Test("HealthKit's notation stays as it is, if it is compatible")
    func notation() {
        let volume = IntakeUnit.named("mL/min·kg", compatibleWith: "mL/kg*min", .fraction)
        #expect(volume == IntakeUnit("mL/min·kg"))
        let rate = IntakeUnit.named("bpm", compatibleWith: "count/min", .fraction)
        #expect(rate == IntakeUnit("count/min"))
        #expect(IntakeUnit.named("kg", compatibleWith: "count/min", .fraction) == nil)
        #expect(IntakeUnit.named("kg", compatibleWith: nil, .fraction) == nil)
    }
}
