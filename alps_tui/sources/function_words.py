"""The small words that give a language away, for the scripts that several languages share."""

from functools import lru_cache

WORDS: dict[str, dict[str, str]] = {
    "Latn": {
        "en": "the and of to in is that it for you with on are this be have not as what how can do my your or "
        "from at if but me we they was will would about which there please i'm don't it's am he she an",
        "de": "der die das und ist nicht ich du sie wir ein eine einen mit auf für von den dem zu im auch wie "
        "was bitte kann mir mich es aber oder wenn sind hat bei nach aus über noch mein meine eines",
        "fr": "le la les des et est une un que qui dans pour pas je vous nous il elle sur avec ce cette au aux "
        "mon ma mes du en ne plus mais ou comment quel quelle sont être c'est j'ai d'un d'une par me te",
        "es": "el la los las de que y en un una es por para con no me mi lo se del al como más pero su sus qué "
        "cómo este esta son hay quiero puedes ser yo tu si cuando muy también está hola",
        "pt": "o a os as de que e em um uma é por para com não me meu minha se do da dos das no na nos nas como "
        "mais mas seu sua são você isso este esta ao à pelo pela eu quero também está quando muito",
        "it": "il lo la gli le di che e è un una per con non mi si del della dei delle al alla nel nella come più "
        "ma sono questo questa ho ha anche perché cosa io da dal dalla ci se tu molto essere una",
        "nl": "de het een en van ik is dat niet je in op te zijn met voor die er maar als ook om aan naar wat hoe "
        "mijn wij jij kan heb heeft dit bij uit nog over door worden deze hij zij of een",
        "pl": "i w nie na się z do to jest że jak co o jestem mi po dla czy ale od przez ten ta tego mnie są tak "
        "może być za który która które proszę mam ze już tylko ich jego jej przy oraz",
        "tr": "ve bir bu da de için ile ne çok nasıl ben sen gibi daha olarak var mi mı mu en kadar ama değil "
        "olan şey bana benim sana o her mısın misin lütfen hangi sonra ya veya",
        "sv": "och att det i en jag är som på inte för med den till av om har du kan vi ett var men hur vad mig "
        "min så från eller när de han hon ska skulle där också mycket",
        "da": "og i jeg det at en den til er som på de med af for ikke der mig et har om vi min hvad kan men så "
        "fra du hvordan eller hun han skal skulle nu også meget noget dig ud være blive",
        "nb": "og i jeg det at en den til er som på de med av for ikke meg et har om vi min hva kan men så fra "
        "du hvordan eller hun han skal skulle nå også mye noe deg ut være bli etter",
        "fi": "ja on ei se että en minä mitä miten kun oli niin kuin mutta olen sen tai voi ovat minun hän sitä "
        "myös jos ole joka mikä kanssa sinä mun vain vielä nyt siitä ollut olla tämä",
        "hu": "a az és hogy nem is egy meg van én te ez azt de ha mi mit hogyan vagy már csak kell lehet mert "
        "nekem volt amit úgy még el fel ki be vannak lesz szeretnék kérlek ezt",
        "cs": "a se na je to že v s do jak si co ale pro jsem by z tak o jsou který která které podle jako mi "
        "být nebo už má při jen ještě kde když jsme mám aby této není",
        "sk": "a sa na je to že v s do ako si čo ale pre som by z tak o sú ktorý ktorá ktoré podľa mi byť alebo "
        "už má pri len ešte kde keď sme mám aby tejto nie nie",
        "sl": "in se na je da v z za so ki ne kot tudi pa po bi pri ali še sem ko lahko to kaj kako bo od do "
        "sta smo ima več zelo če tega samo vse biti",
        "sh": "i u je se da na su za od što kako koji koja koje ne sa iz do ali nije ili samo mi ja to kao bi "
        "bio sam smo može biti ima još šta o po te ovo li",
        "ro": "și în de la cu o un pe nu că este să mai din pentru ce care sunt am ai cum dar sau lui ca al ale "
        "mă îmi vă când prin acest această fi eu fost foarte si sa este",
        "ca": "el la els les de que i en un una és per amb no em meu del al com més però què aquest aquesta són "
        "hi ha vull pot ser jo tu si quan molt també està dels pels seva amb",
        "id": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada bisa apa "
        "atau seperti mereka kamu bagaimana sudah oleh adalah aku lebih kami anda telah tentang bahwa "
        "tersebut hanya saat jika harus setiap silakan menjadi",
        "ms": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke kerana ada boleh apa "
        "atau seperti mereka awak bagaimana sudah oleh adalah lebih kami anda telah tentang bahawa ialah "
        "daripada sahaja hanya sila bagi jika mesti setiap semasa menjadi",
        "vi": "và là của có không được cho trong một những với các này tôi bạn khi người đã để như về thì ở "
        "làm nào gì rất cũng hãy đến từ ra hay nếu viết",
        "tl": "ang ng sa na mga ay at ko ako ka mo hindi para ito may ni siya kung paano ano yung lang din rin "
        "po naman ba kasi pero nang ikaw niya ating aking kay nito",
        "sw": "ya na wa kwa ni katika za la kama hii hiyo lakini mimi wewe yake yangu sana pia au ili hapa nini "
        "jinsi kuwa ambayo hili cha vya huo watu hivyo",
        "af": "die en van is nie ek dat in het vir met op te om wat hy sy ons jy aan was my ook sal kan hoe maar "
        "as n hulle word deur uit baie moet hierdie wees nog jou geen daar kon",
        "et": "ja on ei see et ma ka kui mis oma aga või olen kuidas siis ta selle nii oli meie te mind ning "
        "pole veel nad mina kas väga olla seda",
        "lv": "un ir ar no par ka es uz tas lai kas bet vai kā nav tā pēc šī arī man var to ja jau mēs viņš "
        "tikai kur ļoti šis būt",
        "lt": "ir kad yra į su tai ne aš kaip bet iš ar apie man už jis mes jau taip buvo tik arba dėl nuo "
        "mano kas labai šis būti",
        "sq": "dhe në të një për me është nga që nuk si unë e i do por kjo këtë janë ka ky më çfarë mund "
        "duhet edhe shumë ose",
        "az": "və bir bu üçün ilə də da nə necə mən sən kimi daha çox olan var amma deyil hər mənim edir "
        "belə sonra olaraq onun bunu",
        "eu": "eta da ez bat dut zer nola nire zuen dira bai edo baina hau oso izan behar ere du egin dago "
        "horrek nik zure gara",
        "gl": "o a os as de que e en un unha é por para con non me meu miña se do da dos das no na como máis "
        "pero seu súa son ti iso este esta ao eu tamén está cando moi quero",
    },
    "Cyrl": {
        "ru": "и в не на что я с это как по для но мне мы вы он она они из к у так его от же бы или если "
        "меня есть чтобы при также этого ты быть какие который напиши",
        "uk": "і в не на що я з це як по для але мені ми ви він вона вони із до у так його від ж би або якщо "
        "мене є щоб при також цього ти бути які який та напиши й",
        "be": "і ў не на што я з гэта як па для але мне мы вы ён яна яны да у так яго ад ж бы або калі "
        "мяне ёсць каб пры таксама гэтага ты быць якія які ці",
        "bg": "и в не на че аз с това как по за но ми ние вие той тя те от до у така го ще би или ако "
        "мен има да при също този ти бъде които който е са се",
        "sr": "и у је се да на су за од што како који која које не са из до али није или само ми ја то као би "
        "био сам смо може бити има још шта о",
        "mk": "и во не на дека јас со ова како по за но ми ние вие тој таа тие од до у така го ќе би или ако "
        "мене има да при исто овој ти биде кои кој е се",
        "kk": "және бұл мен үшін бір де да бар жоқ ол қалай не деп осы болып туралы керек маған сен олар емес",
    },
    "Arab": {
        "ar": "في من على أن إلى ما هو هي هذا هذه عن مع لا كان التي الذي كل أو و يا انا أنا لي كيف هل ثم قد "
        "بين ان الى لم بعد اريد أريد عند غير إذا اذا",
        "fa": "و در به از که این را با است برای یک من آن هم تا می چه ها شما بر هر یا ما خود چگونه اگر شود "
        "کن کنم باید رو تو یه چی بود بده نیست",
        "ur": "کے میں کی ہے اور کا سے کو اس نے پر یہ ہیں کہ ایک بھی نہیں ہو مجھے کیا آپ تو ہم جو کر وہ کیسے "
        "لیے گے تھا",
    },
    "Deva": {
        "hi": "के में की है और का से को इस ने पर यह हैं कि एक भी नहीं हो मुझे क्या आप तो हम जो कर वह कैसे लिए",
        "mr": "आणि आहे या मी ते हे की व तर नाही मला काय कसे आपण तुम्ही आहेत साठी एक पण होते करा मध्ये हा ही",
        "ne": "र छ को मा हो यो म ले लाई छन् के कसरी तपाईं पनि भने गर्न तर हुन्छ एक त्यो गर्नुहोस् हरू छैन बाट",
    },
}
"""Script → language tag → its commonest words without a meaning of their own, folded to lower case."""


@lru_cache(maxsize=8)
def weights(script: str) -> dict[str, tuple[tuple[str, float], ...]]:
    """Of each word of a script: the languages that have it, each with one over how many they are."""
    having: dict[str, list[str]] = {}
    for tag, listed in WORDS[script].items():
        for word in dict.fromkeys(listed.split()):
            having.setdefault(word, []).append(tag)
    return {word: tuple((tag, 1 / len(tags)) for tag in tags) for word, tags in having.items()}
