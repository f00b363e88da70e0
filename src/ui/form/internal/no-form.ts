import { useId } from 'react'

/** The id of a form that does not exist: a control with it is part of no form, whatever form is around it. */
export const useNoForm = (): string => `none ${useId()}`
