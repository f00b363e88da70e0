import { memoize } from './memoize'
import type { IngestStep } from './step'

/**
 * Sites that send no visitors but only their name, to be seen in reports. Drawn from the community's list at
 * matomo-org/referrer-spam-list (public domain), of which only those are taken that exist for nothing else: it also
 * names advertising networks, hosters and shops, whose visitors are real.
 */
const spamHosts: ReadonlySet<string> = new Set(
  `
01casino-x.ru 0n-line.tv 1-99seo.com 1-free-share-buttons.com 100-reasons-for-seo.com 100dollars-seo.com
12-reasons-for-seo.net 15-reasons-for-seo.com 1webmaster.ml 1winru.ru 1x-slot.site 1x-slots.site
1xbet-entry.ru 1xbetcc.com 1xbetonlines1.ru 1xbetportugal.com 1xbetts.ru 1xslot-casino.online
1xslot-casino.ru 1xslot-casino.site 1xslot.site 1xslots-africa.site 1xslots-brasil.site 1xslots-casino.site
1xslots.africa 1xslots.site 4webmasters.org 4xcasino.ru 70casino.online 7makemoneyonline.com
99-reasons-for-seo.com acunetix-referrer.com adelachrist.top adrenalinebot.net adspart.com adviceforum.info
alfabot.xyz alibestsale.com aliexsale.ru alkanfarma.org amazon-seo-service.com ammgm.org anti-crisis-seo.com
anticrawler.org atleticpharm.org auto-seo-service.org autoseo-service.org autoseo-traffic.com
autoseotips.com azartclub.org baixar-musicas-gratis.com balkanfarma.org barbarahome.top
best-ping-service-usa.blue best-seo-offer.com best-seo-software.xyz best-seo-solution.com
bestwebsitesawards.com bet-winner1.ru betslive.ru biteg.xyz blackhatworth.com blog2019.top blog2019.xyz
blog4u.top blogking.top blogorganictraffic.shop blogseo.xyz blogstar.fun blogtraffic.shop bluerobot.info
bo-vtb24.ru bonus-betting.ru bonus-spasibo-sberbank.ru bonus-vtb.ru boostmyppc.com bot-traffic.icu
bot-traffic.xyz bottraffic.live bottraffic143.xyz bottraffic329.xyz bottraffic4free.club
bottraffic4free.host bottraffic999.xyz bpro1.top brateg.xyz briankatrine.top budilneg.xyz buketeg.xyz
bukleteg.xyz business-online-sberbank.ru buttons-for-website.com buttons-for-your-website.com buy-meds24.com
buynorxx.com buypillsonline24h.com celestepage.xyz cenokos.ru cenoval.ru cheap-trusted-backlinks.com
cheappills24h.com chinese-amezon.com clarityketo.org compliance-alex.xyz compliance-alexa.xyz
compliance-andrew.xyz compliance-barak.xyz compliance-brian.xyz compliance-don.xyz compliance-donald.xyz
compliance-elena.xyz compliance-fred.xyz compliance-george.xyz compliance-irvin.xyz compliance-ivan.xyz
compliance-john.top compliance-julianna.top constanceonline.top cookie-law-enforcement-aa.xyz
copyrightclaims.org copyrightinstitute.org dailyrank.net darleneblog.online darodar.com dbutton.net
deirdre.top denisecarey.top deniseconnie.top depositfiles-porn.ga descargar-musica-gratis.net dev-seo.blog
domain-tracker.com dominateforex.ml drugstoreforyou.com e-commerce-seo.com e-commerce-seo1.com
earn-from-articles.com ecommerce-seo.org econom.co escort-russian.com eu-cookie-law-enforcement2.xyz
event-tracking.com every-lang-seo.com fbdownloader.com firstblog.top fix-website-errors.com
floating-share-buttons.com free-fb-traffic.com free-fbook-traffic.com free-floating-buttons.com
free-share-buttons.com free-social-buttons.com free-social-buttons.xyz free-social-buttons7.xyz
free-traffic.xyz free-video-tool.com free-website-traffic.com freewhatsappload.com gailtony.top
generalporn.org geraldineblog.top get-clickize.info get-free-social-traffic.com get-free-traffic-now.com
get-more-freeer-visitors.info get-more-freeish-visitors.info get-seo-help.com get-your-social-buttons.info
getaadsincome.info getadsincomely.info getfy-click.info getlamborghini.ga getpy-click.info getrichquick.ml
getrichquickly.info girlporn.ru google-liar.ru googlemare.com googlsucks.com growth-hackingan.info
growth-hackingor.info growth-hackingy.info guardlink.org hard-porn.mobi hosting-tracker.com
howtostopreferralspam.eu hulfingtonpost.com humanorightswatch.org hvd-store.com ilikevitaly.com
iloveitaly.ro iloveitaly.ru ilovevitaly.co ilovevitaly.com ilovevitaly.info ilovevitaly.org ilovevitaly.ru
ilovevitaly.xyz increasewwwtraffic.info janemill.xyz jodieblog.top julietkennan.top justprofit.xyz
kabinet-binbank.ru kabinet-card-5ka.ru kabinet-click-alfabank.ru kabinet-lk-megafon.ru kabinet-login-mts.ru
kabinet-mil.ru kabinet-mos.ru kabinet-my-beeline.ru kabinet-my-pochtabank.ru kabinet-online-vtb.ru
kabinet-tinkoff.ru kabinet-ttk.ru kambasoft.com keywords-monitoring-success.com
keywords-monitoring-your-success.com landoftracking.com law-check-two.xyz law-enforcement-bot-ff.xyz
law-enforcement-check-three.xyz law-enforcement-ee.xyz law-six.xyz lk-gosuslugi.ru login-tinkoff.ru
makemoneyonline.com mandyblog.xyz marlongray.top martinahome.xyz maxinesamson.top meds-online24.com
meendo-free-traffic.ga moiragracie.top monetizationking.net money-for-placing-articles.com
mycheaptraffic.com net-profits.xyz ninacecillia.top o-o-11-o-o.com o-o-6-o-o.com o-o-6-o-o.ru o-o-8-o-o.com
o-o-8-o-o.ru online-binbank.ru online-mkb.ru online-vtb.ru paidonlinesites.com perform-like-alibabaity.info
perform-likeism-alibaba.info pills24h.com pornhub-forum.ga pornhub-forum.uni.me pornhub-ru.com
porno-chaman.info pornoelita.info pornoforadult.com pornogig.com pornohd1080.online pornoklad.ru
pornonik.com pornoplen.com priceg.com purchasepillsnorx.com rank-checker.online rankings-analytics.com
ranksonic.info ranksonic.net ranksonic.org rapidgator-porn.ga resell-seo-services.com santasgift.ml
savetubevideo.com savetubevideo.info search-error.com semalt.com semaltmedia.com seo-services-b2b.com
seo-services-wordpress.com seoservices2018.com share-buttons-for-free.com share-buttons.xyz sharebutton.io
sharebutton.net sharebutton.to simple-share-buttons.com site-auditor.online sitevaluation.org sjjksy.org
slow-website.xyz social-button.xyz social-buttons-ii.xyz social-buttons.com social-traffic-1.xyz
social-traffic-2.xyz social-traffic-3.xyz social-traffic-4.xyz social-traffic-5.xyz social-traffic-7.xyz
social-widget.xyz socialbuttons.xyz speedup-my.site store-rx.com success-seo.com sundrugstore.com
theautoprofit.ml theguardlan.com top1-seo-service.com topseoservices.co torture.ml track-rankings.online
traffic-cash.xyz traffic2cash.org traffic2cash.xyz traffic2money.com trafficgenius.xyz trafficmonetize.org
trafficmonetizer.org vardenafil20.com viagra-soft.ru video--production.com videos-for-your-business.com
wakeupseoconsultant.com we-ping-for-youic.info web-revenue.xyz webmonetizer.net website-analytics.online
website-analyzer.info website-speed-check.site website-speed-checker.site xtrafficplus.com youporn-forum.ga
youporn-forum.uni.me youporn-ru.com
`
    .trim()
    .split(/\s+/),
)

/** Families of spam sites whose names keep changing. */
const spamFamilies =
  /(?:^|\.)(?:semalt|(?:\d+-)?(?:best|free|buy|get)-(?:seo|share-buttons|social-buttons|website-traffic|bot-traffic)[a-z0-9-]*|buttons-for-[a-z-]*website|cookie-law-enforcement-[a-z]{2}|bottraffic[a-z0-9]*|[a-z0-9-]*-reasons-for-seo|\d-best-seo)\.[a-z]+$/

/** Whether a host or one of its parent domains is on the list. */
const isSpamReferrer = memoize(10_000, (host) => {
  const labels = host.toLowerCase().replace(/:\d+$/, '').split('.')
  const isListed = labels.some((_label, i) => spamHosts.has(labels.slice(i).join('.')))
  return isListed || spamFamilies.test(labels.join('.'))
})

export const dropSpamReferrers: IngestStep = ({ referrer }, { rules }) =>
  rules.dropsSpamReferrers && referrer.from === 'elsewhere' && isSpamReferrer(referrer.host)
    ? 'spam-referrer'
    : undefined
