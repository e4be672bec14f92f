public import Foundation

open class HKObject: NSObject {}
open class HKSample: HKObject {}
open class HKStateOfMind: HKSample {}
open class HKScoredAssessment: HKSample {}
open class HKGAD7Assessment: HKScoredAssessment {}
open class HKPHQ9Assessment: HKScoredAssessment {}
open class HKElectrocardiogram: HKSample {}
open class HKMedicationDoseEvent: HKSample {}
