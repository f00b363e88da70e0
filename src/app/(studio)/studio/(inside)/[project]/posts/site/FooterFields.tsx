'use client'

import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { LinkRows } from './LinkRows'
import type { SiteFieldsProps } from './SiteForm'

/** The footer of every page. */
export function FooterFields({ draft, onChange, errors }: SiteFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <LinkRows
        title="Links"
        noun="footer link"
        most={24}
        placeholder="/privacy"
        links={draft.footer}
        error={errors['footer']}
        onChange={(footer) => onChange({ footer })}
      />
      <Field label="Words" optional error={errors['footerText']} hint="Whose site it is, and where they are.">
        <Textarea rows={2} value={draft.footerText} onChange={(footerText) => onChange({ footerText })} />
      </Field>
    </div>
  )
}
