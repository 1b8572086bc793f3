typedef unsigned int u32; typedef unsigned long long u64;
struct Big { int a; char b; double c[3]; float v[5]; short s; };
C float coef[16] = {1,2,3.5f};
C struct { int a; signed char c[3]; unsigned short h; } cs = {7, {-1,2,-3}, 65000};
D int gtab[5] = {1,2,3};
D int *gp = &gtab[2];
D float garr[3][4] = {{1,2},{3}};
D NI float addf(float a, float b){ return a*b+1; }
D NI float subf(float a, float b){ return a-b*2; }
D NI float mulf(float a, float b){ if (a > 5) return a; float s=0; for(int i=0;i<(int)b;i++) s+=a*i; return s; }
typedef float (*fn)(float,float);
D fn table[3] = {addf, subf, mulf};
D NI Big mk(Big x, int i){ x.a += i; x.c[i%3] *= 2; x.v[i%5]=i; x.s = -i; return x; }
D NI int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
D NI short sh(signed char a, unsigned short b, bool c) { return c ? a*b : a-b; }
D NI u64 deep(u64 x, int i) { int loc[8]; for (int j=0;j<8;j++) loc[j]=j*i; loc[i&7] += x; return sum(loc, 8) * x + (x >> (i & 31)); }
D NI u64 body(int i, const Big &b, int n) {
  Big r = mk(b, i);
  double d = r.c[0] + r.c[1]*3 + r.a + r.v[n%5] + r.v[i%5] + r.s + r.b + coef[i & 15] + gtab[n%5] + *gp + garr[i%3][n&3] + cs.a + cs.c[i%3] + cs.h;
  float f = table[i%3]((float)(i%9), 3.0f);
  u64 h = (u64)(long long)(d*16) * 31 + (int)(f*8);
  h = h*31 + deep(h, i);
  h = h*31 + sh((signed char)(i*7), (unsigned short)(i*999), i&1);
  h = h*31 + h/(i+1) + (long long)h%(i+3) + (u32)h/7 + (int)h/(i+2) + ((int)h>>3) + (h<<(i&63)|h>>((63-i)&63));
  switch(i%7) { case 0: h+=1; break; case 1: h*=3; break; case 2: h-=7; break; case 3: h^=5; break; case 4: h|=99; break; case 5: h/=3; break; default: h*=h; }
  signed char c8 = h; unsigned char u8 = h>>8; short s16 = h>>16; unsigned short u16 = h>>24;
  c8 *= 3; u8 += 200; s16 = s16*s16; u16 -= s16;
  h += c8 + u8 + s16 + u16 + (c8>>2) + (u8>>3) + (s16<0 ? 3 : 4) + (c8 > u8) ;
  h ^= (u64)__builtin_popcountll(h) << 40 ^ __builtin_clzll(h|1) ^ ((u64)__builtin_bitreverse32((u32)h) << 5) ^ __builtin_bswap64(h);
  unsigned __int128 w = (unsigned __int128)h * (h+12345) + h; h ^= (u64)(w>>64) + (u64)w;
  float ff = (float)(h & 0xffff) / 7.0f; h += (u32)ff + (int)__builtin_floorf(ff) + (int)(double)ff + (long long)__builtin_sqrtf(ff) + (int)(signed char)(int)ff;
  h += (u64)(double)(u32)h + (u64)(float)(long long)(h&0xffffff) + (int)__builtin_ceil(ff*1.5) + (unsigned char)(int)ff%100;
  return h;
}
