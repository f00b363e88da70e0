import { Notice } from '../../../../../../ui/Notice'

/** Letters wait until somebody who runs Tilth has said through which server they go. */
export function NoMailServer() {
  return (
    <Notice tone="warning" title="No letters are sent yet">
      Set <code>TILTH_SMTP</code> (such as smtp://user:password@smtp.example.com:587) and{' '}
      <code>TILTH_MAIL_FROM</code> (such as Tilth &lt;tilth@example.com&gt;), then start Tilth again. Webhooks
      are called without it.
    </Notice>
  )
}
