'use client'

import { useState } from 'react'
import { parseSiteAddress } from '#projects/site-address'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'

const usualHint = 'Leave it empty if you have none yet: Tilth can serve one.'

/** Asks for the address of a site, and shows the host as it is called: letters that only look alike stand out. */
export function SiteAddressField({ value = '', readOnly }: { value?: string; readOnly?: boolean }) {
  const [typed, setTyped] = useState(value)
  const parsed = parseSiteAddress(typed)
  const isOther = parsed.isFit && parsed.address !== '' && parsed.address.replace(/\/$/, '') !== typed.trim()

  return (
    <Field
      label="Site address (optional)"
      name="siteAddress"
      hint={isOther ? `Address: ${parsed.address}` : usualHint}
    >
      <TextInput
        type="text"
        inputMode="url"
        autoComplete="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://example.com"
        defaultValue={value}
        readOnly={readOnly}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  )
}
