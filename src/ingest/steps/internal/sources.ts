/** The kinds of sites that send visitors. They decide the channel of a visit. */
export const sourceKinds = ['ai', 'search', 'social', 'video', 'shopping', 'email', 'ads', 'site'] as const
export type SourceKind = (typeof sourceKinds)[number]

/**
 * The source behind each host: one a line, its name and its hosts. A host stands for everything below it too, unless
 * it begins with `=`; `{}` is any public suffix, `*` any characters within a label, and a path narrows a host down.
 *
 * Search engines, social networks and AI assistants follow the lists of matomo-org/searchengine-and-social-list (CC0);
 * left out are portals and news sites, which send visitors from their pages far more often than from a search.
 * Video sites, shops, mail programs and advertisers are our own lists.
 */
export const sourceLists: Readonly<Record<SourceKind, string>> = {
  ai: `
ChatGPT: chatgpt.com chat.openai.com labs.openai.com com.openai.chatgpt
Claude: claude.ai claude.com
Google Gemini: gemini.google.com bard.google.com
Microsoft Copilot: copilot.microsoft.com m365.cloud.microsoft bing.com/chat copilot.cloud.microsoft
Perplexity.ai: perplexity.ai ai.perplexity.app.android
Baidu AI: yiyan.baidu.com ai.baidu.com
Chat+: chatplus.com chat-gpt.org
ChatGLM: chatglm.cn
Deepseek: chat.deepseek.com deepseek.com
Duck.ai: duck.ai
Grok: grok.com x.com/i/grok grok.x.ai
iAsk: iask.ai
Jasper: app.jasper.ai
Le Chat: chat.mistral.ai
Meta AI: meta.ai
NotebookLM: notebooklm.google.com
Qwen: chat.qwen.ai chat.qwenlm.ai qwen.ai
Writesonic: app.writesonic.com
You: you.com
Character.AI: character.ai
Phind: phind.com
Poe: poe.com
HuggingChat: huggingface.co/chat
Kimi: kimi.com kimi.moonshot.cn
Doubao: doubao.com
Andi: andisearch.com
Komo: komo.ai
Pi: pi.ai
Manus: manus.im
Genspark: genspark.ai
Felo: felo.ai
Liner: liner.com
Exa: exa.ai
Kagi Assistant: kagi.com/assistant
Lumo: lumo.proton.me`,

  search: `
Google: =google.com =google.{} encrypted.google.com www2.google.com ipv6.google.com go.google.com
  wwwgoogle.com wwwgoogle.{} gogole.com gogole.{} gppgle.com gppgle.{} googel.com googel.{} search.avg.com
  isearch.avg.com com.google.android.googlequicksearchbox search.chedot.com darkoogle.com search.foxtab.com
  gooofullsearch.com search.hiyo.com search.incredimail.com search1.incredimail.com search2.incredimail.com
  search3.incredimail.com search4.incredimail.com search.sweetim.com search.juno.com search.zum.com
  find.tdc.dk it.luna.tv searchresults.verizon.com search.walla.co.il search.alot.com suche.gmx.net
  search.gmx.com search.incredibar.com delta-search.com search.zonealarm.com
  search.leonardo.it search.dolphin-browser.jp netlavis.azione.jp search.nan.so search.smt.docomo.ne.jp
  gfsoso.com searches.safehomepage.com searches.f-secure.com search.f-secure.com
  webcache.googleusercontent.com search.bt.com search.abv.bg search.xfinity.com
Bing: bing.com cc.bingj.com
Yahoo!: search.yahoo.com cade.yahoo.com one.cn.yahoo.com search.offerbox.com
DuckDuckGo: duckduckgo.com duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion
Yandex: =yandex.ru =yandex.com =yandex.{} =ya.ru
Baidu: =baidu.com baidu.co.th
Ecosia: ecosia.org
Brave: search.brave.com
Kagi: kagi.com
StartPage: startpage.com s6-eu5.ixquick.com startpagel6srwcjlue4zgq3zevrujfaow726kjytqbbjyrswwmjzcqd.onion
Qwant: qwant.com
Naver: search.naver.com
Seznam: search.seznam.cz
1.cz: 1.cz
1und1: search.1und1.de suche.1und1.de
118 700: 118700.se
123people: 123people.com 123people.{}
360search: so.360.cn so.com sou.com
Abacho: abacho.de abacho.com abacho.co.uk abacho.at abacho.fr abacho.es abacho.ch abacho.it
ABCsøk: abcsok.no
Acoon: acoon.de
Aguea: chercherfr.aguea.com
Alexa: alexa.com
Alice Adsl: rechercher.aliceadsl.fr
All.by: all.by
Allaverksamheter: allaverksamheter.se
Allesklar: allesklar.de allesklar.at allesklar.ch
AllTheInternet: alltheinternet.com
AllTheWeb: alltheweb.com
AlohaFind: alohafind.com
AltaVista: altavista.com altavista.de altavista.fr
AOL: aolsearch.com search.aol.com search.aol.it aolsearch.aol.com aolrecherche.aol.fr aolrecherches.aol.fr
  aolimages.aol.fr recherche.aol.fr find.web.aol.com recherche.aol.ca aolsearch.aol.co.uk search.aol.co.uk
  sucheaol.aol.de suche.aol.de o2suche.aol.de suche.aolsvc.de aolbusqueda.aol.com.mx alicesuche.aol.de
  alicesuchet.aol.de suchet2.aol.de search.hp.my.aol.com.au search.hp.my.aol.de search.hp.my.aol.it
  search-intl.netscape.com de.aolsearch.com
Apollo lv: apollo.lv/portal/search/
Apollo7: apollo7.de
Aport: sm.aport.ru
Arama: arama.com
Arianna: arianna.libero.it arianna.com
Ask Toolbar: search.tb.ask.com
Ask: ask.com ask.reference.com askkids.com ask.co.uk qbyrd.com search-results.com searchqu.com
Atlas: searchatlas.centrum.cz
auone: search.auone.jp sp-search.auone.jp
auone Images: sp-image.search.auone.jp
Austronaut: www2.austronaut.at www1.austronaut.at
Avira SafeSearch: search.avira.com search.avira.net safesearch.avira.com
Babylon: search.babylon.com searchassist.babylon.com
Biglobe: cgi.search.biglobe.ne.jp
Biglobe Images: images.search.biglobe.ne.jp
Bing Images: bing.com/images/search
blekko: blekko.com
Blogdigger: blogdigger.com
Blogpulse: blogpulse.com
Bluewin: search.bluewin.ch
Centrum: search.centrum.cz morfeo.centrum.cz
Claro Search: claro-search.com
Clix: pesquisa.clix.pt
Comcast: search.comcast.net
Compuserve.com (Enhanced by Google): websearch.cs.com
Conduit.com: search.conduit.com
Crawler: crawler.com
Cuil: cuil.com
Daemon search: daemon-search.com
DasOertliche: dasoertliche.de
DasTelefonbuch: www1.dastelefonbuch.de
Daum: search.daum.net
Delfi EE: otsing.delfi.ee
Delfi lv: smart.delfi.lv
dir.com: fr.dir.com
DisconnectSearch: search.disconnect.me
dmoz: dmoz.org
Earthlink: search.earthlink.net
El Mundo: ariadna.elmundo.es
Eniro: eniro.se
Entireweb: entireweb.com
eo: eo.st
EpicSearch.in: epicsearch.in
Eurip: eurip.com
Euroseek: euroseek.com
Everyclick: everyclick.com
Exalead: exalead.fr exalead.com
Excite: search.excite.it search.excite.fr search.excite.de search.excite.co.uk search.excite.es
  search.excite.nl msxml.excite.com excite.co.jp
Fast Browser Search: fastbrowsersearch.com
Findhurtig: findhurtig.dk
Fireball: fireball.de fireball.com
Firstsfind: firstsfind.com
Fixsuche: fixsuche.de
Flix.de: flix.de
Fooooo: search.fooooo.com
Forestle: forestle.org forestle.mobi
Francite: recherche.francite.com
Free: search.free.fr search1-2.free.fr search1-1.free.fr
FreeCause: search.freecause.com
Freenet: suche.freenet.de
Freespoke: freespoke.com
Frontier: search.frontier.com
GAIS: gais.cs.ccu.edu.tw
Genieo: search.genieo.com
Geona: geona.net
Gibiru: gibiru.com
Gigablast: gigablast.com
Gigablast (Directory): dir.gigablast.com
Gnadenmeer: gnadenmeer.de
Gomeo: gomeo.com
goo: search.goo.ne.jp ocnsearch.goo.ne.jp
Google Blogsearch: blogsearch.google.com blogsearch.google.{}
Google Custom Search: google.com/cse google.{}/cse cse.google.com cse.google.{} google.com/custom
  google.{}/custom
Google Images: images.google.com images.google.{} google.com/imgres google.{}/imgres
Google Maps: maps.google.com maps.google.{}
Google News: news.google.com news.google.{}
Google Scholar: scholar.google.com scholar.google.{}
Google syndicated search: googlesyndicatedsearch.com
Google Translations: translate.google.com
Google Video: video.google.com
GoYellow.de: goyellow.de
Gule Sider: gulesider.no
Haosou: haosou.com
HighBeam: highbeam.com
Hit-Parade: hit-parade.com
Holmes: holmes.ge
Hooseek: hooseek.com
Hotbot: hotbot.com
I-play: start.iplay.com
ICQ: search.icq.com
Ilse NL: ilse.nl
iMesh: search.imesh.com
Inbox: www2.inbox.com
info.com: info.com
InfoSpace: =infospace.com dogpile.com tattoodle.com metacrawler.com webfetch.com webcrawler.com
  search.kiwee.com searches.vi-view.com search.webssearches.com search.fbdownloader.com
  searches3.globososo.com search.avast.com isearch.babylon.com start.facemoods.com start.funmoods.com
  search.magentic.com search.searchcompletion.com searchmobileonline.com isearch.glarysoft.com
  search.chatzum.com home.speedbit.com search.b1.org searchya.com search.handycafe.com search.v9.com
  search.iminent.com utorrent.inspsearch.com govome.inspsearch.com
Isodelen: isodelen.se
IXquick: ixquick.com ixquick.de
Jungle Key: junglekey.com junglekey.fr
Jungle Spider: jungle-spider.de
Junior Safe Search: juniorsafesearch.com
Jyxo: jyxo.1188.cz
K9 Safe Search: k9safesearch.com
KARMA: karmasearch.org
Kensaq: kensaq.com
Kvasir: kvasir.no
La Toile Du Québec (Google): web.toile.com
Laban: laban.vn
Latne: latne.lv
Lilo: search.lilo.org
Lo.st: lo.st
Local Moxie: localmoxie.com
LookAny: lookany.com
Lookseek: search.lookseek.com
Looksmart: looksmart.com
Lycos: search.lycos.com lycos.{}
maailm.com: maailm.com
Mail.ru: go.mail.ru
Mamma: mamma.com
Marginalia: marginalia-search.com search.marginalia.nu
Meinestadt.de: meinestadt.de
Meta.ua: meta.ua
MetaCrawler DE: s1.metacrawler.de s2.metacrawler.de s3.metacrawler.de
Metager: meta.rrzn.uni-hannover.de metager.de
Metager2: metager2.de
Mister Wong: mister-wong.com mister-wong.de
Mojeek: mojeek.com
Monstercrawler: monstercrawler.com
mozbot: mozbot.fr mozbot.co.uk mozbot.com
MyPrivateSearch: myprivatesearch.com
MyWebSearch: mysearch.com kf.mysearch.myway.com ki.mysearch.myway.com search.myway.com
  search.mywebsearch.com
Najdi.si: najdi.si
Nate: search.nate.com
Needtofind: ko.search.need2find.com
Neti: neti.ee
Nifty: search.nifty.com search.azby.fmworld.net
Nifty Videos: videosearch.nifty.com
Nigma: nigma.ru
OceanHero: oceanhero.today
Onet.pl: szukaj.onet.pl
OnlySearch: only-search.com
Opplysningen 1881: 1881.no
Orange: busca.orange.es lemoteur.ke.voila.fr lemoteur.orange.fr
Paperball: paperball.de
PeopleCheck: extern.peoplecheck.de
PeoplePC: search.peoplepc.com
Picsearch: picsearch.com
Plazoo: plazoo.com
PlusNetwork: plusnetwork.com
Poisk.Ru: poisk.ru
Presearch: presearch.com
PriceRunner: pricerunner.co.uk pricerunner.com pricerunner.{}
PrivacyWall: privacywall.org
qip.ru: search.qip.ru
Qualigo: qualigo.at qualigo.ch qualigo.de qualigo.nl
Quendu: quendu.com
Rakuten: websearch.rakuten.co.jp
Rambler: nova.rambler.ru
Riksdelen: riksdelen.se
Road Runner: search.rr.com
Sapo: pesquisa.sapo.pt
Scour.com: scour.com
Search.ch: search.ch
Search.com: search.com
Searchalot: searchalot.com
SearchCanvas: searchcanvas.com
SearchLock: searchlock.com
Searchy: searchy.co.uk
SearXNG: searx.be searx.{} searxng.site
SeeSaa: search.seesaa.jp
Setooz: setooz.com
Seznam Videa: videa.seznam.cz
Sharelook: sharelook.fr
sm.cn: m.sm.cn m.sp.sm.cn quark.sm.cn
sm.de: sm.de
SmartAddressbar: search.smartaddressbar.com
Snap.do: search.snap.do
So-net Videos: video.so-net.ne.jp
Softonic: search.softonic.com
Sogou: =sogou.com
Soso: soso.com
Sputnik: sputnik.ru
Startpagina (Google): startgoogle.startpagina.nl
Startsiden: startsiden.no
Stract: stract.com
Suche.info: suche.info
Suchmaschine.com: suchmaschine.com
Suchnase: suchnase.de
Surf Canyon: surfcanyon.com
Swiggle: swiggle.org.uk
Swisscows: swisscows.com
T-Online: suche.t-online.de brisbane.t-online.de navigationshilfe.t-online.de
talimba: talimba.com
Tarmot: tarmot.com
Technorati: technorati.com
Teoma: teoma.com
Terra: buscador.terra.es buscador.terra.cl buscador.terra.com.br
Tiscali: search.tiscali.it search-dyn.tiscali.it hledani.tiscali.cz
Tixuma: tixuma.de
Toolbarhome: toolbarhome.com
Torry: torry.io
Trouvez.com: trouvez.com
TrovaRapido: trovarapido.com
Trusted Search: trusted-search.com
Trustnav: search.trustnav.com
TUSK Search: tusksearch.com
Twingly: twingly.com
uol.com.br: busca.uol.com.br
URL.ORGanzier: url.org
Vinden: vinden.nl
Vindex: vindex.nl
Virgilio: ricerca.virgilio.it ricercaimmagini.virgilio.it ricercavideo.virgilio.it ricercanews.virgilio.it
  mobile.virgilio.it
Voila: search.ke.voila.fr lemoteur.fr
Vuhuv: vuhuv.com
Walhello: walhello.info walhello.com walhello.de walhello.nl
Web.de: suche.web.de
Web.nl: web.nl
weborama: weborama.fr
WebSearch: websearch.com
Wedoo: fr.wedoo.com en.wedoo.com es.wedoo.com
Winamp: search.winamp.com
Wirtualna Polska: szukaj.wp.pl
Witch: witch.de
Woopie: woopie.jp
www värav: search.www.ee
X-Recherche: x-recherche.com
Yahoo! Directory: search.yahoo.com/search/dir
Yahoo! Images: images.search.yahoo.com images.yahoo.com
Yahoo! Japan: search.yahoo.co.jp jwsearch.jword.jp
Yahoo! Japan Images: image.search.yahoo.co.jp
Yahoo! Japan Videos: video.search.yahoo.co.jp
Yam: search.yam.com
Yandex Images: images.yandex.ru images.yandex.com images.yandex.{}
Yasni: yasni.de yasni.com yasni.co.uk yasni.ch yasni.at
Yatedo: yatedo.com yatedo.fr
Yellowmap: yellowmap.de
Yep: yep.com
Yippy: search.yippy.com
Yongzin: yongzin.com
YouGoo: yougoo.fr
ZapMeta: zapmeta.com zapmeta.{} zapmetasearch.{}
Zhongsou: p.zhongsou.com
Zoek: www3.zoek.nl
Zoeken: zoeken.nl
Zoohoo: zoohoo.cz
Zoznam: zoznam.sk
Zxuso: zxuso.com
묻지마 검색: kwzf.net
Cốc Cốc: coccoc.com`,

  social: `
Badoo: badoo.com
Baidu Tieba: tieba.baidu.com
Bebo: bebo.com
BlackPlanet: blackplanet.com
Bluesky: bsky.app skyfeed.app
Buzznet: buzznet.com
Classmates.com: classmates.com
Cyworld: global.cyworld.com
DEV: dev.to
Digg: digg.com
Discord: discord.com discord.gg discordapp.com com.discord
Douban: douban.com
Douyin: douyin.com
Dribbble: dribbble.com
Facebook: facebook.com fb.me fb.com com.facebook.katana messenger.com m.me
Fetlife: fetlife.com
Flickr: flickr.com
Flixster: flixster.com
Fotolog: fotolog.com
Foursquare: foursquare.com
FriendFeed: friendfeed.com
Friends Reunited: friendsreunited.com
Friendster: friendster.com
Gab: gab.com
Gaia Online: gaiaonline.com
Geni.com: geni.com
GitHub: github.com
Google+: plus.google.com com.google.android.apps.plus
gree: gree.jp
Haboo: habbo.com
Habr: habr.com
Hacker News: news.ycombinator.com
hi5: hi5.com
Hyves: hyves.nl
identi.ca: identi.ca
Instagram: instagram.com com.instagram.android
KakaoTalk: story.kakao.com com.kakao.talk
lang-8: lang-8.com
Last.fm: last.fm lastfm.ru lastfm.de lastfm.es lastfm.fr lastfm.it lastfm.jp lastfm.pl lastfm.com.br
  lastfm.se lastfm.com.tr
Lemmy: lemmy.world lemmy.ml programming.dev
LINE: line.me jp.naver.line.android
LinkedIn: linkedin.com lnkd.in linkedin.android com.linkedin.android
LiveJournal: livejournal.ru livejournal.com
Lobsters: lobste.rs
Mastodon: mastodon.social mastodon.cloud mastodon.technology mastodon.xyz mastodon.at mastodon.art mamot.fr
  pawoo.net mstdn.io mstdn.jp friends.nico ro-mastodon.puyo.jp quey.org botsin.space social.tchncs.de
  knzk.me mastodont.cat bitcoinhackers.org fosstodon.org chaos.social cybre.space vis.social typo.social
  front-end.social hachyderm.io mastodon.online newsie.social mstdn.social indieweb.social sfba.social
  mas.to mstdn.party c.im mastodonapp.uk universeodon.com social.vivaldi.net ohai.social toot.community
  masto.ai mastodon.scot mastodon.world mastodon.nz graphics.social org.joinmastodon.android mastodon.eus
  mastodon.jalgi.eus tkm.eus
Medium: medium.com
MeinVZ: meinvz.net
MissEvan: missevan.com
Mixi: mixi.jp
MoiKrug.ru: moikrug.ru
Multiply: multiply.com
my.mail.ru: my.mail.ru
MyHeritage: myheritage.com
MyLife: mylife.ru
Myspace: myspace.com
myYearbook: myyearbook.com
Nasza-klasa.pl: nk.pl
Netlog: netlog.com
Nextdoor: nextdoor.com
Odnoklassniki: odnoklassniki.ru ok.ru
Orkut: orkut.com
Ozone: qzone.qq.com
Peepeth: peepeth.com
Pinterest: pinterest.{} pin.it com.pinterest
Pixelfed: pixelfed.social pixelfed.de pxlmo.com metapixl.com pix.toot.wales pixelfed.uno pixey.org
Plaxo: plaxo.com
Product Hunt: producthunt.com
Quora: quora.com
Reddit: reddit.com redd.it com.reddit.frontpage
Renren: renren.com
Signal: signal.org org.thoughtcrime.securesms
Skyrock: skyrock.com
Slack: slack.com com.slack
Snapchat: snapchat.com com.snapchat.android
Sonico.com: sonico.com
SoundCloud: soundcloud.com gate.sc
Sourceforge: sourceforge.net
StackOverflow: stackoverflow.com
StudiVZ: studivz.net
StumbleUpon: stumbleupon.com
Substack: substack.com
Tagged: login.tagged.com
Taringa!: taringa.net
Telegram: web.telegram.org org.telegram.messenger t.me telegram.me telegram.org org.telegram.messenger.web
Threads: threads.net threads.com com.instagram.barcelona
TikTok: tiktok.com com.zhiliaoapp.musically
Truth Social: truthsocial.com
Tuenti: tuenti.com
Tumblr: tumblr.com t.umblr.com
Twitter: twitter.com t.co x.com com.twitter.android
V2EX: v2ex.com
Viadeo: viadeo.com
Viber: viber.com com.viber.voip
Vkontakte: vk.com vkontakte.ru vk.ru
vkrugudruzei.ru: vkrugudruzei.ru
WAYN: wayn.com
WeChat: wechat.com mp.weixin.qq.com open.weixin.qq.com channels.weixin.qq.com
WeeWorld: weeworld.com
Weibo: weibo.com t.cn
WhatsApp: whatsapp.com wa.me com.whatsapp
Workplace: workplace.com
Xanga: xanga.com
Xiaohongshu: xiaohongshu.com xhslink.com
XING: xing.com
Zhihu: zhihu.com`,

  video: `
YouTube: youtube.com youtu.be com.google.android.youtube youtube-nocookie.com
Vimeo: vimeo.com
bilibili: bilibili.com
Niconico: nicovideo.jp
Twitcast: twitcasting.tv
Douyu: douyu.com
Huya: huya.com
Dailymotion: dailymotion.com dai.ly
Twitch: twitch.tv
Netflix: netflix.com
Hulu: hulu.com
Disney+: disneyplus.com
Rumble: rumble.com
Odysee: odysee.com
Wistia: wistia.com wistia.net
TED: ted.com
iQIYI: iqiyi.com
Youku: youku.com
Crackle: crackle.com
Veoh: veoh.com
PeerTube: joinpeertube.org
Loom: loom.com`,

  shopping: `
Amazon: amazon.{} amzn.to com.amazon.mshop.android.shopping
eBay: ebay.{}
Etsy: etsy.com etsy.me
Walmart: walmart.com walmart.ca
AliExpress: aliexpress.{}
Alibaba: alibaba.com
Taobao: taobao.com
Tmall: tmall.com
JD.com: jd.com
Temu: temu.com
Shein: shein.{}
Shopify: shopify.com shop.app
Google Shopping: shopping.google.com shopping.google.{} google.com/products google.{}/products
Idealo: idealo.{}
Mercado Libre: mercadolibre.{} mercadolivre.com.br
Target: target.com
Best Buy: bestbuy.com
Wayfair: wayfair.{}
Zalando: zalando.{}
Otto: otto.de
Allegro: allegro.pl
Flipkart: flipkart.com
Rakuten Ichiba: rakuten.co.jp
Coupang: coupang.com
Lazada: lazada.{}
Shopee: shopee.{}
bol.com: bol.com
Cdiscount: cdiscount.com
Ozon: ozon.ru
Wildberries: wildberries.ru
Instacart: instacart.com
Home Depot: homedepot.com
Kleinanzeigen: kleinanzeigen.de
Toppreise.ch: toppreise.ch`,

  email: `
Gmail: mail.google.com com.google.android.gm inbox.google.com
Outlook.com: outlook.com outlook.live.com mail.live.com outlook.office.com outlook.office365.com
  outlook.cloud.microsoft com.microsoft.office.outlook
Yahoo! Mail: mail.yahoo.com mail.yahoo.net mail.yahoo.co.uk mail.yahoo.co.jp mail.yahoo.{}
  com.yahoo.mobile.client.android.mail
GMX: deref-gmx.{} lightmailer.gmx.{} lightmailer-bap.gmx.{} mail.gmx.{} navigator.gmx.{} navigator-bs.gmx.{}
  navigator-lxa.gmx.{}
Web.de: 3c.web.de lightmailer-bap.web.de deref-web.de navigator.web.de navigator-bs.web.de
  freemailng2003.web.de
Mail.com: deref-mail.com lightmailer.mail.com navigator-lxa.mail.com
Ionos: email.ionos.{} mailbusiness.ionos.{} mail.ionos.{} webmail.ionos.{}
Bluewin: rich-v01.bluewin.ch rich-v02.bluewin.ch email.bluewin.ch
Orange Webmail: webmail*.orange.fr mail*.orange.fr messageriepro*.orange.fr
Proton: mail.proton.me mail.protonmail.com ch.protonmail.android
TIM: webmail.tim.it mail.tim.it
Vodafone: mail.vodafone.de webmail.vodafone.{}
AOL Mail: mail.aol.com
Fastmail: fastmail.com app.fastmail.com
Zoho Mail: mail.zoho.com mail.zoho.eu mail.zoho.in
iCloud Mail: icloud.com/mail mail.icloud.com
Yandex Mail: mail.yandex.{}
Mail.ru Mail: e.mail.ru touch.mail.ru
Tuta: app.tuta.com mail.tutanota.com
Hey: app.hey.com
Seznam Email: email.seznam.cz
QQ Mail: mail.qq.com
126 Mail: mail.126.com
163 Mail: mail.163.com
Naver Mail: mail.naver.com
T-Online E-Mail: email.t-online.de
Freenet Mail: webmail.freenet.de
Libero Mail: mail.libero.it mail1.libero.it
Virgilio Mail: mail.virgilio.it
SFR Mail: webmail.sfr.fr
La Poste: webmail.laposte.net
Free Mail: zimbra.free.fr webmail.free.fr
WP Poczta: poczta.wp.pl
O2 Poczta: poczta.o2.pl
Onet Poczta: poczta.onet.pl
Superhuman: mail.superhuman.com
Mailchimp: campaign-archive.com list-manage.com
Comcast Mail: connect.xfinity.com
BT Mail: email.bt.com
Rambler Mail: mail.rambler.ru
Optimum Mail: webmail.optimum.net
Strato: webmail.strato.de`,

  ads: `
Google: googlesyndication.com googleadservices.com doubleclick.net adsensecustomsearchads.com
Bing: bat.bing.com
Taboola: taboola.com
Outbrain: outbrain.com
Criteo: criteo.com criteo.net
AppNexus: adnxs.com
Teads: teads.tv
AdRoll: adroll.com`,

  site: `
Wikipedia: wikipedia.org
Apple News: apple.news
Feedly: feedly.com
Flipboard: flipboard.com
Pocket: getpocket.com
SmartNews: smartnews.com
Notion: notion.so notion.site
Trello: trello.com
Microsoft Teams: teams.microsoft.com statics.teams.cdn.office.net teams.cloud.microsoft
Google Docs: docs.google.com`,
}

/** Other spellings of sources in `utm_source`. */
export const sourceAliases: Readonly<Record<string, string>> = {
  adwords: 'Google',
  'google-ads': 'Google',
  googleads: 'Google',
  'microsoft-ads': 'Bing',
  bingads: 'Bing',
  ddg: 'DuckDuckGo',
  fb: 'Facebook',
  meta: 'Facebook',
  messenger: 'Facebook',
  ig: 'Instagram',
  insta: 'Instagram',
  yt: 'YouTube',
  tt: 'TikTok',
  snap: 'Snapchat',
  tw: 'Twitter',
  x: 'Twitter',
  li: 'LinkedIn',
  hn: 'Hacker News',
  hackernews: 'Hacker News',
  ph: 'Product Hunt',
  tg: 'Telegram',
  vk: 'Vkontakte',
  openai: 'ChatGPT',
  gpt: 'ChatGPT',
  copilot: 'Microsoft Copilot',
  gemini: 'Google Gemini',
  bard: 'Google Gemini',
  perplexity: 'Perplexity.ai',
  yahoo: 'Yahoo!',
  gmail: 'Gmail',
  'google mail': 'Gmail',
}
