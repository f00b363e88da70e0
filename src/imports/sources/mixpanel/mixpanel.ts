import { mixpanelEvent } from '#wire/mixpanel/events'
import { isProperties } from '#wire/decode-body'
import { type ImportSource, keptEvent, leftOut, reasons } from '../internal/source'

/**
 * Mixpanel's raw export. It holds the same event several times, which have the same id: so many of an export become one.
 */
export const mixpanel: ImportSource = {
  label: 'Mixpanel',
  files: 'the raw export (/api/2.0/export), JSON lines',
  columns: 'event and properties with time and distinct_id',
  eventOf(row) {
    if (typeof row['event'] !== 'string' || !isProperties(row['properties']))
      return leftOut(reasons.unknownForm)
    const event = mixpanelEvent(row)
    const { timestamp: at, distinctId = '', uuid } = event
    if (!at) return leftOut(reasons.noTime)
    if (distinctId === '') return leftOut(reasons.noVisitor)
    const { mp_country_code: country, $region: region, $city: city, ...properties } = event.properties
    const place = {
      ...(typeof country === 'string' && { $geoip_country_code: country }),
      ...(typeof region === 'string' && { $geoip_subdivision_1_name: region }),
      ...(typeof city === 'string' && { $geoip_city_name: city }),
    }
    return keptEvent(
      { ...event, distinctId, properties: { ...properties, ...place } },
      { at, uuid, of: { source: 'mixpanel', row } },
    )
  },
}
