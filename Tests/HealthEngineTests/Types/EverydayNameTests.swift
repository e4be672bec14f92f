import HealthEngine
import Testing

@Suite("types have the names that people use")
struct EverydayNameTests {
    @Test(
        "case, spaces and everyday names don't matter",
        arguments: [
            ("stepCount", "stepCount"), ("STEPCOUNT", "stepCount"), ("step count", "stepCount"),
            ("step-count", "stepCount"), ("Steps", "stepCount"),
            ("hkquantitytypeidentifierstepcount", "stepCount"),
            ("HRV", "heartRateVariabilitySDNN"), ("resting", "restingHeartRate"),
            ("Heart rate", "heartRate"), ("sleep", "sleepAnalysis"), ("weight", "bodyMass"),
            ("VO2max", "vo2Max"), ("Blood sugar", "bloodGlucose"), ("ecg", "electrocardiogram"),
        ])
    func found(written: String, name: String) {
        #expect(Catalogue.type(called: written)?.name == name)
    }

    @Test(
        "a mistyped name has a suggestion",
        arguments: [
            ("stpes", "stepCount"), ("hartRate", "heartRate"),
            ("restingHeartRat", "restingHeartRate"),
            ("caffein", "dietaryCaffeine"), ("walkingSped", "walkingSpeed"),
        ])
    func suggested(written: String, name: String) {
        #expect(Catalogue.type(called: written) == nil)
        #expect(Catalogue.suggestion(for: written) == name)
    }

    @Test(
        "what is no type has neither",
        arguments: ["", "x", "qwertyuiop", "💚", "SELECT * FROM sample"])
    func unknown(_ written: String) {
        #expect(Catalogue.type(called: written) == nil)
        #expect(Catalogue.suggestion(for: written) == nil)
    }

    @Test("every type is found under its own name in lower case")
    func ownNames() {
        for type in Catalogue.types {
            #expect(Catalogue.type(called: type.name.lowercased()) == type, "\(type.name)")
        }
    }
}
