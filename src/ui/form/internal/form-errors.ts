import { createContext, type RefObject, use, useEffect, useState } from 'react'

/** The problems of a form by the names of its fields. */
export type FormErrors = Readonly<Record<string, string | string[]>>

/** Native controls read their problem here; Base UI's fields have it from their form. */
export const FormErrorsContext = createContext<FormErrors | undefined>(undefined)

/** The form's problem with a native control, until it is changed. The first control with a problem takes the focus. */
export function useFormError(name: string | undefined, control: RefObject<HTMLElement | null>) {
  const errors = use(FormErrorsContext)
  const [corrected, setCorrected] = useState<FormErrors>()
  const found = name === undefined || errors === corrected ? undefined : errors?.[name]
  const isFirst = found !== undefined && name === Object.keys(errors ?? {})[0]
  useEffect(() => {
    if (isFirst) control.current?.focus()
    // again for each answer to the form
    // oxlint-disable-next-line react/exhaustive-deps
  }, [errors, isFirst, control])
  return {
    error: Array.isArray(found) ? found.join(' ') : found,
    correct: () => setCorrected(errors),
  }
}
