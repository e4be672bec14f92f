// Tests that import HealthTesting can mark symbols: `.covers("HKUnit.unitString")`.
@_exported public import TestMarks
