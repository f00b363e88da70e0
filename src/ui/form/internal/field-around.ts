import type { Field } from '@base-ui/react/field'
import { createContext, use } from 'react'

/** The field around a control. A control without one does without the program of fields. */
interface FieldOfControl {
  name: string | undefined
  labelId: string
  /** Of its hint and its error. */
  notesId: string | undefined
  /** A control that the field knows: with its name, its notes and its errors. */
  Control: typeof Field.Control
}

export const FieldContext = createContext<FieldOfControl | undefined>(undefined)

export const useFieldAround = (): FieldOfControl | undefined => use(FieldContext)

/** Marks a control that a press on its field's label focuses, because its program is not loaded. */
export const unloadedControl = 'data-unloaded-control'
