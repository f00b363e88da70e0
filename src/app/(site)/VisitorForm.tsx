import type { ReactNode } from 'react'
import { OmittedPart } from './OmittedPart'
import { currentSite } from './open-site'

interface VisitorFormProps {
  kind: 'signup' | 'comment'
  name: string
  thanks: string
  /** Shown in place of the thanks where a letter asks to confirm the address; without it, the thanks are. */
  checkInbox?: string
  children: ReactNode
}

/** Sent to the front, which leads back to `#form-name` or `#confirm-name`: that shows the text, also where no script runs. */
export function VisitorForm({ kind, name, thanks, checkInbox, children }: VisitorFormProps) {
  if (currentSite()?.staticServer !== undefined) return <OmittedPart of={`the form “${name}”`} />
  return (
    <form className="site-form" id={`form-${name}`} method="post" action={`/_tilth/forms/${kind}`}>
      <input type="hidden" name="form" value={name} />
      <div className="site-form-fields">
        {children}
        {/* only programs fill in this field, because people do not see it */}
        <p className="trap" aria-hidden="true">
          <label>
            Website <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </p>
      </div>
      <output
        className="site-form-thanks"
        data-thanks=""
        id={checkInbox === undefined ? `confirm-${name}` : undefined}
      >
        {thanks}
      </output>
      {checkInbox !== undefined && (
        <output className="site-form-thanks" data-thanks="confirm" id={`confirm-${name}`}>
          {checkInbox}
        </output>
      )}
    </form>
  )
}
