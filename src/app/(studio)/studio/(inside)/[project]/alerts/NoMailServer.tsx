import { Notice } from '#ui/page/Notice'

/** Warns that mail waits until the operator configures a mail server. */
export function NoMailServer() {
  return (
    <Notice tone="warning" title="No letters are sent yet">
      Set <code>TILTH_SMTP</code> (such as smtp://user:password@smtp.example.com:587) and{' '}
      <code>TILTH_MAIL_FROM</code> (such as Tilth &lt;tilth@example.com&gt;), then start Tilth again. Webhooks
      are called without it.
    </Notice>
  )
}
