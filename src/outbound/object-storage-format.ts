/** A bucket of S3 or a compatible service, and the prefix in it that Tilth uses. */
export interface ObjectStorageAddress {
  endpoint: URL
  bucket: string
  /** The prefix of every key: empty, or a path that ends with a slash. */
  prefix: string
  region: string
  accessKey: string
  secretKey: string
  /** Whether the bucket is part of the host's name, and not of the path. */
  isBucketInHost: boolean
}

/** The settings of the service behind `s3://` addresses. */
export interface ObjectStorageService {
  /** Undefined for Amazon S3. */
  endpoint: URL | undefined
  region: string
  accessKey: string
  secretKey: string
}

/** "s3://bucket/prefix"; undefined if it is invalid. */
export function parseBucketUrl(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  if (!bucket || path.length > 500 || /[\p{Cc}?#\\]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u.test(path))
    return undefined
  const folder = path.replace(/\/$/, '')
  return { bucket, prefix: folder === '' ? '' : `${folder}/` }
}

export function parseObjectStorageAddress(
  text: string,
  { endpoint, region, accessKey, secretKey }: ObjectStorageService,
): ObjectStorageAddress | undefined {
  const bucketUrl = parseBucketUrl(text)
  if (!bucketUrl) return undefined
  // the certificate of *.s3.amazonaws.com does not hold for a name with a further dot
  const isBucketInHost = endpoint === undefined && !bucketUrl.bucket.includes('.')
  const amazon = `https://${isBucketInHost ? `${bucketUrl.bucket}.` : ''}s3.${region}.amazonaws.com`
  return { ...bucketUrl, endpoint: endpoint ?? new URL(amazon), region, accessKey, secretKey, isBucketInHost }
}

/** Encodes names for the signature: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const encodeName = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export function objectUrl(
  { endpoint, bucket, prefix, isBucketInHost }: ObjectStorageAddress,
  key?: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const root = endpoint.pathname.replace(/\/$/, '') + (isBucketInHost ? '' : `/${bucket}`)
  const object = key === undefined ? '' : `/${(prefix + key).split('/').map(encodeName).join('/')}`
  const search = Object.entries(query).map(([name, value]) => `${encodeName(name)}=${encodeName(value)}`)
  return new URL(
    `${endpoint.origin}${root}${object || (isBucketInHost ? '/' : '')}${search.length > 0 ? `?${search.join('&')}` : ''}`,
  )
}

export interface ListedObject {
  /** The key without the address's prefix. */
  key: string
  bytes: number
  etag: string
  modifiedAt: Date
}

export function parseObjectList(text: string): ListedObject[] {
  const isEncoded = tagText(text, 'EncodingType') === 'url'
  return [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object = '']) => {
    const key = tagText(object, 'Key') ?? ''
    return {
      key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
      bytes: Number(tagText(object, 'Size') ?? 0),
      etag: (tagText(object, 'ETag') ?? '').replaceAll('"', ''),
      modifiedAt: new Date(tagText(object, 'LastModified') ?? 0),
    }
  })
}

export function parseStorageError(text: string): { code: string; message: string } | undefined {
  const [error] = /<Error>.*<\/Error>/s.exec(text) ?? []
  if (error === undefined) return undefined
  return {
    code: tagText(error, 'Code') ?? 'an error',
    message: (tagText(error, 'Message') ?? '').slice(0, 300),
  }
}

/** Returns the text of the first element with this name. S3's responses are flat enough for that. */
export function tagText(text: string, name: string): string | undefined {
  const [, inside] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text) ?? []
  return inside?.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(String(hex), 16))
    return entities[String(named)] ?? whole
  })
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
