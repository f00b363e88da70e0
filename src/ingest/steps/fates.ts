import { columnOf } from '../../events/taxonomy'
import { remembering } from './memo'
import { isClickId } from './secrets'

/**
 * What becomes of a property by its name. `never`: nobody's business. `elsewhere`: in a column, or of no use after
 * prepare. The others are kept, cleaned as what they are.
 */
export type Fate = 'never' | 'elsewhere' | 'page' | 'referrer' | 'address' | 'plain'

/** They identify a person, a device or a place closer than we want to know. */
const never = words(`
  $ip $initial_ip ip_address $user_agent $useragent user_agent
  $geoip_latitude $geoip_longitude $geoip_accuracy_radius $geoip_postal_code
`)

/** What SDKs tell the server, or themselves; and what stands elsewhere in an event. */
const elsewhere = words(`
  token distinct_id $insert_id $time $sent_at $set $set_once $unset $add $increment $groups $group_set
  $session_id $anon_distinct_id $user_id $process_person_profile $ignore_sent_at $geoip_disable $cookieless_mode
  $lib_custom_api_host $lib_rate_limit_remaining_tokens $config_defaults $sdk_dist_channel $initialization_time
  $configured_session_timeout_ms $recording_status $feature_flag_payloads $feature_flag_evaluated_at
  $feature_flag_definitions_loaded_at $elements $ce_version $is_server $screen_width $screen_height
  $browser_language_prefix $title $initial_person_info $exception_capture_endpoint sessionRecordingUrl
`)

/** Made by chance, as long as the event's own id, and of no further use: windows matter to recordings alone. */
const random = words('$pageview_id $window_id $feature_flag_request_id')

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}

/** Families of the same. What a session began with stands on its first event; what came of the page before, in columns. */
const elsewhereFamilies =
  /^\$(?:sdk_debug_|debug_|sess_rec_|snapshot_|session_entry_|session_recording_|replay_|geoip_|event_time_override_|prev_pageview_(?!pathname$))|_server_side$/

export const fateOf = remembering(20_000, (name: string): Fate => {
  if (never.has(name) || name.endsWith('raw_user_agent') || isClickIdOf(name)) return 'never'
  if (elsewhere.has(name) || random.has(name) || columnOf(name) !== undefined) return 'elsewhere'
  if (elsewhereFamilies.test(name)) return 'elsewhere'
  return addressFate(name)
})

/** Also as it came first, and as the session began with it. */
function isClickIdOf(name: string): boolean {
  return isClickId(name.replace(/^\$(?:initial_|session_entry_|current_)/, ''))
}

function addressFate(name: string): Fate {
  if (/current_?url$/i.test(name)) return 'page'
  if (/referr?er$/i.test(name)) return 'referrer'
  return /(?:url|uri|href|link|path|pathname|location|search|query)$/i.test(name) ? 'address' : 'plain'
}

/** Persons and groups have no columns: whatever may be known of them is kept. */
export const personFateOf = (name: string): Fate => (fateOf(name) === 'never' ? 'never' : addressFate(name))
