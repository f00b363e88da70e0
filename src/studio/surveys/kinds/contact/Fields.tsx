'use client'

import { contactFields } from '#surveys/kinds/contact-fields'
import type { QuestionOf } from '#surveys/question'
import { Checkbox } from '#ui/form/Checkbox'
import { usePut } from '../../builder/put-question'

const contactLabels = { name: 'Name', email: 'Email', phone: 'Phone', company: 'Company' }

export function ContactFields({ question }: { question: QuestionOf<'contact'> }) {
  const put = usePut(question)
  const { fields } = question
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 font-medium">Fields</legend>
      {contactFields.map((field) => {
        const chosen = fields.find((one) => one.field === field)
        const others = fields.filter((one) => one.field !== field)
        return (
          <div key={field} className="flex flex-wrap gap-x-6 gap-y-1">
            <div className="w-28">
              <Checkbox
                label={contactLabels[field]}
                checked={chosen !== undefined}
                disabled={chosen !== undefined && others.length === 0}
                onChange={(isOn) =>
                  put({ fields: isOn ? [...fields, { field, isRequired: false }] : others })
                }
              />
            </div>
            {chosen && (
              <Checkbox
                label={
                  <>
                    Required<span className="sr-only">: {contactLabels[field]}</span>
                  </>
                }
                checked={chosen.isRequired}
                onChange={(isRequired) =>
                  put({ fields: fields.map((one) => (one.field === field ? { field, isRequired } : one)) })
                }
              />
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
