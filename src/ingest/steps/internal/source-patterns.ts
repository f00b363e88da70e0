/** The first label of the host of a webmail, as providers and hosters name it. */
const webmailLabel =
  /^(?:e-?mail|web-?mail|my-?mail|mailbusiness|messagerie(?:pro)?|courriel|poczta|posta|correo|correio|owa|outlook|zimbra|roundcube|rc|horde|squirrelmail|sogo|rainloop|snappymail|mail-?box|inbox|lightmailer|freemail(?:ng)?|3c|navigator)\d*(?:[-.]?[a-z]{1,4}\d*)?$|^(?:web)?mail\d*$/

/** Hosts that a webmail opens links through, such as `deref-gmx.net`. */
const dereferrer = /^deref-/

/**
 * Whether a host is that of a webmail, by how such hosts are named. `domain` is the part that is registered: "mail.com"
 * is a site, and "mail.example.com" is where the mail of example.com is read.
 */
export function isWebmailHost(host: string, domain: string): boolean {
  if (dereferrer.test(domain)) return true
  if (host === domain || !host.endsWith(`.${domain}`)) return false
  const [first = ''] = host.split('.')
  return webmailLabel.test(first)
}

/** The domain by which a webmail's provider is known. */
export const mailDomain = (domain: string): string => domain.replace(dereferrer, '')

/** Labels of the packages of mail programs. */
const isMailLabel = (label: string): boolean => /mail|^(?:k9|gm|outlook|thunderbird|spark)$/.test(label)
const searchLabel = /search|^(?:opera|browser)$/

export interface AppName {
  /** The domain of the app's maker: packages begin with it, reversed. */
  domain: string
  /** The further labels, the most specific first. */
  labels: readonly string[]
  isMail: boolean
  isSearch: boolean
}

/** Reads the package of an app, such as `com.reddit.frontpage`. */
export function parseAppName(app: string): AppName {
  const [suffix = '', owner = '', ...rest] = app.toLowerCase().split('.')
  return {
    domain: `${owner}.${suffix}`,
    labels: [...rest.toReversed(), owner],
    isMail: [...rest, owner].some(isMailLabel),
    isSearch: rest.some((label) => searchLabel.test(label)),
  }
}
