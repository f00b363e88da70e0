'use client'

import { Form as Base } from '@base-ui/react/form'
import type { ComponentPropsWithRef } from 'react'
import { FormErrorsContext } from './internal/form-errors'

/**
 * A form. `errors`, keyed by the names of its Fields, are shown at their fields and focus goes to the first.
 * `action` takes a server action; a submit Button inside is busy until it answers.
 */
export function Form({
  errors,
  ...props
}: Omit<ComponentPropsWithRef<typeof Base>, 'className' | 'errors'> & {
  errors?: Record<string, string | string[]>
}) {
  return (
    <FormErrorsContext value={errors}>
      <Base {...props} errors={errors} className="flex flex-col gap-5 [&>button]:self-start" />
    </FormErrorsContext>
  )
}
