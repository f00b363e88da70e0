/** A mail server's report on a letter that it had accepted. */
export interface DeliveryNotice {
  kind: 'bounce' | 'delayed' | 'complaint'
  /** The enhanced status code: https://www.rfc-editor.org/rfc/rfc3463 */
  status: string
}

/** Reports are small; the returned letter behind them is not read. */
const mostRead = 200_000

/**
 * Reads a delivery status notification (https://www.rfc-editor.org/rfc/rfc3464) or a report of abuse
 * (https://www.rfc-editor.org/rfc/rfc5965); undefined for any other message, such as a reply out of office.
 */
export function readDeliveryNotice(raw: string): DeliveryNotice | undefined {
  const message = raw
    .slice(0, mostRead)
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
  if (/^feedback-type: *abuse\b/im.test(message)) return { kind: 'complaint', status: 'abuse' }
  if (
    !/^content-type: *(?:multipart\/report\b.*report-type="?delivery-status|message\/delivery-status)/im.test(
      message,
    )
  )
    return undefined
  const action = /^action: *([a-z]+)/im.exec(message)?.[1]?.toLowerCase()
  const status = /^status: *(\d\.\d{1,3}\.\d{1,3})/im.exec(message)?.[1] ?? ''
  if (action === 'failed') return { kind: isLasting(status) ? 'bounce' : 'delayed', status }
  return action === 'delayed' ? { kind: 'delayed', status } : undefined
}

/**
 * Whether the address itself cannot get mail. A full mailbox (5.2.2) or a refusal for the content (5.7.x) may pass:
 * the next letter is tried.
 */
const isLasting = (status: string): boolean =>
  status.startsWith('5.') && status !== '5.2.2' && !status.startsWith('5.7.') && !status.startsWith('5.3.')
