'use client'

import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { LinkRows } from './LinkRows'
import type { SiteFieldsProps } from './SiteForm'

/** The fields for the parts around every page. */
export function FooterFields({ draft, onChange, errors }: SiteFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Above the header"
        optional
        error={errors['headerMarkdown']}
        hint="Markdown, such as an announcement with a link."
      >
        <Textarea
          rows={2}
          mono
          placeholder="Boards 2 is here: [what is new](/blog/boards-2)"
          value={draft.headerMarkdown}
          onChange={(headerMarkdown) => onChange({ headerMarkdown })}
        />
      </Field>
      <LinkRows
        title="Links"
        noun="footer link"
        most={24}
        placeholder="/privacy"
        links={draft.footer}
        error={errors['footer']}
        onChange={(footer) => onChange({ footer })}
      />
      <Field
        label="Above the footer"
        optional
        error={errors['footerMarkdown']}
        hint="Markdown, such as a sign-up form for the newsletter."
      >
        <Textarea
          rows={3}
          mono
          placeholder={':::signup{name="newsletter"}'}
          value={draft.footerMarkdown}
          onChange={(footerMarkdown) => onChange({ footerMarkdown })}
        />
      </Field>
      <Field label="Text" optional error={errors['footerText']} hint="Such as the owner and the address.">
        <Textarea rows={2} value={draft.footerText} onChange={(footerText) => onChange({ footerText })} />
      </Field>
    </div>
  )
}
